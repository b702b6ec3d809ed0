// The study of image tiles by host teams: rounds and updates are those of a GPU, the time is not.
//   ImageTileStudy [--size NODES_PER_AXIS] [--json FILE]
#include "ImageTileStudy.h"

#include "Execution/HostDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  const benchmark::StudyArguments arguments(64, argc, argv);
  if (!arguments.good) return 2;
  execution::HostDevice<false> device{chooseThreads(0)};
  benchmark::ImageTileStudy(device, arguments.size, 1, "host teams", arguments.file).run();
  return 0;
}
