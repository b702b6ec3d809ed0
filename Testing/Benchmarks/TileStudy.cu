// The study of tiles on this CUDA device.
//   TileStudyCuda [--small] [--repeats N] [--only MODEL] [--json FILE]
#include "Error.h"
#include "Execution/Cuda.h"
#include "Execution/CudaDevice.h"
#include "TileStudyTable.h"

using namespace isochrone;

int main(int argc, char** argv) try {
  const benchmark::TileStudyArguments arguments(argc, argv);
  if (!arguments.good) return 2;
  const execution::CudaState cuda = execution::queryCuda();
  if (!cuda.problem.empty()) return std::fprintf(stderr, "TileStudyCuda: %s\n", cuda.problem.c_str()), 3;
  execution::CudaDevice device;
  benchmark::TileStudy(device, arguments, cuda.name.c_str()).run();
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
