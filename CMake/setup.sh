# Sourced by Examples/quickstart.sh and Testing/run.sh: sets the project folder and installs packages.

# The project folder, which becomes the working folder.
ISOCHRONE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ISOCHRONE_ROOT" || exit 1

# Requirements to build and use the plugin: compiler, build tools, ParaView's headers and Python, and a display for
# rendering.
BUILD_PACKAGES="g++ cmake ninja-build paraview-dev python3-paraview python3-dev libopenmpi-dev libglew-dev xvfb xauth"
BUILD_COMMANDS="g++ cmake ninja pvpython mpirun xvfb-run"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# Prints the packages among "$@" that are not installed.
missing_packages() {
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# install_missing "PACKAGES" "COMMANDS": installs missing Debian packages with apt, which is not called otherwise. On other
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
  $run apt-get -q update || echo "apt-get update failed, using the existing package lists" >&2
  $run env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing ||
    fail "apt-get could not install:" $missing
}

# with_display COMMAND...: runs a command on a virtual display, the same on every machine. Without -noreset the display
# restarts whenever its last window closes, and rejects a program that connects at that moment.
with_display() {
  xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$@"
}
