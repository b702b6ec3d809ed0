// The study of tiles on this CUDA device.
#include "TileStudyTable.h"

#include "Execution/Cuda.h"
#include "Execution/CudaDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  benchmark::TileStudyOptions options{};
  return options.arguments("this CUDA device").run(argc, argv, [&] {
    const execution::CudaState cuda = execution::queryCuda();
    if (!cuda.problem.empty()) return std::fprintf(stderr, "TileStudyCuda: %s\n", cuda.problem.c_str()), 3;
    execution::CudaDevice device;
    benchmark::TileStudy(device, options, cuda.name).run();
    return 0;
  });
}
