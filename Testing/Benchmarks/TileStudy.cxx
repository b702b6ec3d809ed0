// The study of tiles by host teams: rounds and updates are those of a GPU, the time is not. Rounds that write
// in place depend on the order of the threads.
//   TileStudy [--small] [--repeats N] [--only MODEL] [--json FILE]
#include "Error.h"
#include "Execution/HostDevice.h"
#include "TileStudyTable.h"

using namespace isochrone;

int main(int argc, char** argv) try {
  const benchmark::TileStudyArguments arguments(argc, argv);
  if (!arguments.good) return 2;
  execution::HostDevice device{chooseThreads(0)};
  benchmark::TileStudy(device, arguments, "host teams").run();
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
