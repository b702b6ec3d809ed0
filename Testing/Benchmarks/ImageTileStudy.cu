// The study of image tiles on this CUDA device. Milliseconds of the rounds only, without set-up and copies.
#include "ImageTileStudy.h"

#include "Execution/Cuda.h"
#include "Execution/CudaDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  benchmark::ImageTileStudyOptions options{256};
  return options.arguments("this CUDA device").run(argc, argv, [&] {
    const execution::CudaState cuda = execution::queryCuda();
    if (!cuda.problem.empty())
      return std::fprintf(stderr, "ImageTileStudyCuda: %s\n", cuda.problem.c_str()), 3;
    execution::CudaDevice device;
    benchmark::ImageTileStudy(device, options, cuda.name).run();
    return 0;
  });
}
