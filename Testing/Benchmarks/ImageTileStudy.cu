// The study of image tiles on this CUDA device. Milliseconds of the rounds alone: no set-up, no copies.
//   ImageTileStudyCuda [--size NODES_PER_AXIS] [--repeats N] [--only EXAMPLE] [--json FILE]
#include "Error.h"
#include "Execution/Cuda.h"
#include "Execution/CudaDevice.h"
#include "ImageTileStudy.h"

using namespace isochrone;

int main(int argc, char** argv) try {
  const benchmark::ImageTileStudyArguments arguments(256, argc, argv);
  if (!arguments.good) return 2;
  const execution::CudaState cuda = execution::queryCuda();
  if (!cuda.problem.empty()) return std::fprintf(stderr, "ImageTileStudyCuda: %s\n", cuda.problem.c_str()), 3;
  execution::CudaDevice device;
  benchmark::ImageTileStudy(device, arguments, cuda.name.c_str()).run();
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
