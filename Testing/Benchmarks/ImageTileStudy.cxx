// The study of image tiles by host teams: rounds and updates equal those on a GPU, times do not.
#include "ImageTileStudy.h"

#include "Execution/HostDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  benchmark::ImageTileStudyOptions options{64};
  return options.arguments("host teams").run(argc, argv, [&] {
    execution::HostDevice device{chooseThreads(0)};
    benchmark::ImageTileStudy(device, options, "host teams").run();
    return 0;
  });
}
