# Sourced by Examples/quickstart.sh and Testing/run.sh: sets the project folder and installs packages.

# The project folder, which becomes the working folder.
ISOCHRONE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ISOCHRONE_ROOT" || exit 1

# Requirements to build and use the plugin: compiler, build tools, ParaView's headers and Python, and a display for
# rendering.
BUILD_PACKAGES="g++ cmake ninja-build paraview-dev python3-paraview python3-dev libopenmpi-dev libglew-dev libfreetype-dev xvfb
  xauth"
BUILD_COMMANDS="g++ cmake ninja pvpython mpirun xvfb-run"

# Prints what ParaView's packages do not bring along: VTK's headers where ParaView uses the distribution's VTK, the icons of
# the GUI, the headers of its Qt, and the tools that make its help pages. Apt knows it once the build packages are installed.
paraview_packages() {
  local uses
  uses=$(apt-cache depends paraview 2>/dev/null)
  case $uses in *libvtk9*) echo libvtk9-dev libvtk9-qt-dev ;; esac
  case $uses in
  *libqt6*) echo qt6-base-dev qt6-svg-plugins qt6-tools-dev qt6-documentation-tools qtxmlpatterns5-dev-tools ;;
  *) echo qtbase5-dev libqt5svg5 qttools5-dev qtxmlpatterns5-dev-tools ;;
  esac
}

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Prints the packages among "$@" that the distribution has.
known_packages() {
  for package in "$@"; do
    apt-cache show "$package" >/dev/null 2>&1 && echo "$package"
  done
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
  local missing commands=""
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    for name in $2; do
      command -v "$name" >/dev/null || commands="$commands $name"
    done
    [ -z "$commands" ] && return
    fail "cannot find:$commands. Install them by hand; on Debian and Ubuntu they come from the packages $1"
  fi
  missing=$(missing_packages $1)
  [ -z "$missing" ] && return
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    fail "not root, and no sudo; as root run: apt-get update && apt-get install" $missing
  echo "Installing:" $missing
  [ -n "$PACKAGE_LISTS_UPDATED" ] || as_root apt-get -q update ||
    echo "apt-get update failed, using the existing package lists" >&2
  PACKAGE_LISTS_UPDATED=1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing ||
    fail "apt-get could not install:" $missing
}

# Links the Python modules of Debian 13's ParaView, NAME.cpython-*.so, as NAME.so, without which CMake does not find ParaView.
link_python_modules() {
  local module
  for module in /usr/lib/python3/dist-packages/{vtkmodules,paraview/modules,paraview/incubator}/*.cpython-*.so; do
    [ ! -e "$module" ] || [ -e "${module%%.cpython-*}.so" ] ||
      as_root ln -s "$(basename "$module")" "${module%%.cpython-*}.so"
  done
}

# with_display COMMAND...: runs a command on a virtual display, the same on every machine. Without -noreset the display
# restarts whenever its last window closes, and rejects a program that connects at that moment. Without software rendering
# Mesa 24 first looks for a Vulkan device, and prints an error where there is none.
with_display() {
  LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$@"
}
