# Sourced by Examples/quickstart.sh and Testing/run.sh: what has to be installed, and where we are.

# The folder of the project, and the working folder from here on, whatever folder the script was called from.
ISOCHRONE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ISOCHRONE_ROOT" || exit 1

# To build and use the plugin: compiler, build tools, ParaView's headers and Python, and a display for rendering.
BUILD_PACKAGES="g++ cmake ninja-build paraview-dev python3-paraview python3-dev libopenmpi-dev xvfb xauth"
BUILD_COMMANDS="g++ cmake ninja pvpython mpirun xvfb-run"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# The packages among "$@" that are not installed.
missing_packages() {
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# install_missing "PACKAGES" "COMMANDS": installs Debian packages with apt, and calls apt for nothing else. On other
# systems it checks that the commands exist.
install_missing() {
  local missing commands="" run=""
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    for name in $2; do
      command -v "$name" >/dev/null || commands="$commands $name"
    done
    [ -z "$commands" ] && return
    fail "cannot find:$commands. Install them by hand; on Debian and Ubuntu they come from the packages $1"
  fi
  missing=$(missing_packages $1)
  [ -z "$missing" ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "not root, and no sudo; as root run: apt-get install" $missing
    run=sudo
  fi
  echo "Installing:" $missing
  $run apt-get -q update || echo "apt-get update failed, going on with the package lists that are here" >&2
  $run env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing ||
    fail "apt-get could not install:" $missing
}

# with_display COMMAND...: runs it on a display in memory, the same on every machine. Without -noreset the display starts
# anew whenever its last window closes, and turns away a program that connects in that moment.
with_display() {
  xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$@"
}
