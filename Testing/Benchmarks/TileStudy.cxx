// The study of tiles by host teams: rounds and updates equal those on a GPU, times do not. Rounds that write
// in place depend on the order of the threads.
#include "TileStudyTable.h"

#include "Execution/HostDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  benchmark::TileStudyOptions options{};
  return options.arguments("host teams").run(argc, argv, [&] {
    execution::HostDevice device{chooseThreads(0)};
    benchmark::TileStudy(device, options, "host teams").run();
    return 0;
  });
}
