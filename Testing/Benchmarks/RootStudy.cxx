// The study of roots by host teams, on one thread.
//   RootStudy [--json FILE]
#include "RootStudy.h"

#include "Execution/HostDevice.h"

#include <cstring>

using namespace isochrone;

int main(int argc, char** argv) {
  const bool writes = argc == 3 && !std::strcmp(argv[1], "--json");
  if (argc > 1 && !writes) return std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]), 2;
  execution::HostDevice device{1};
  benchmark::RootStudy(device, "host teams", writes ? argv[2] : nullptr).run();
  return 0;
}
