// The study of image tiles by host teams: rounds and updates are those of a GPU, the time is not.
//   ImageTileStudy [--size NODES_PER_AXIS] [--repeats N] [--only EXAMPLE] [--json FILE]
#include "ImageTileStudy.h"

#include "Execution/HostDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  const benchmark::ImageTileStudyArguments arguments(64, argc, argv);
  if (!arguments.good) return 2;
  execution::HostDevice device{chooseThreads(0)};
  benchmark::ImageTileStudy(device, arguments, "host teams").run();
  return 0;
}
