// The study of roots by host teams, on one thread.
#include "RootStudy.h"

#include "Arguments.h"
#include "Execution/HostDevice.h"

using namespace isochrone;

int main(int argc, char** argv) {
  std::string file;
  return benchmark::Arguments("Measures the roots of a state's equation by host teams, on one thread.")
      .text("--json FILE", "writes the rows there too", file)
      .run(argc, argv, [&] {
        execution::HostDevice device{1};
        benchmark::RootStudy(device, "host teams", file).run();
        return 0;
      });
}
