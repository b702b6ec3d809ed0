#!/bin/bash
# other_paraview.sh SUITE [CTEST ARGUMENTS]: builds and tests the project with the ParaView of another Debian or Ubuntu, for
# example trixie or noble, as its users would. As root. The system is installed in build/other/SUITE; a second run uses it
# again and builds only what changed. The last line is the row of the README's table.
. "$(dirname "${BASH_SOURCE[0]}")/../CMake/setup.sh"
suite=$1
[ -n "$suite" ] || fail "which suite? For example trixie or noble"
[ "$(id -u)" -eq 0 ] || fail "a chroot needs root"
shift
install_missing debootstrap debootstrap

# Debian's suites come from the source of this machine's packages, Ubuntu's from Ubuntu.
mirror=$(apt-get indextargets --format '$(SITE)' | grep -m 1 -i debian) || mirror=http://deb.debian.org/debian
components=main trust=--keyring=/usr/share/keyrings/debian-archive-keyring.gpg script=sid
if ! /usr/lib/apt/apt-helper download-file "$mirror/dists/$suite/Release" /dev/null >/dev/null 2>&1; then
  mirror=http://archive.ubuntu.com/ubuntu components=main,universe script=gutsy
  trust=--keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
  [ -e "${trust#*=}" ] || trust=--no-check-gpg # Debian 12 has no keys of Ubuntu
fi

root=$PWD/build/other/$suite
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 CI="$CI" bash -c "$*"
}
if [ ! -e "$root/installed" ]; then
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --components=$components $trust "$suite" "$root" "$mirror" \
    /usr/share/debootstrap/scripts/$script || fail "debootstrap failed, see $root/debootstrap/debootstrap.log"
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/mirror" # a mirror may lag behind
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # does not wait for the disk after each file
  touch "$root/installed"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
# Lazily, because processes of an interrupted run may still use /dev.
trap 'umount -l "$root/sys" "$root/proc" "$root/dev"' EXIT

mkdir -p "$root/isochrone"
find "$root/isochrone" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
git ls-files -z | tar -c --null -T - | tar -x -C "$root/isochrone"
inside "cd /isochrone && bash Testing/run.sh $*"
status=$?
log=$root/isochrone/build/ci
version() { inside "dpkg-query -W -f '\${source:Upstream-Version}' $1" 2>/dev/null | sed 's/+dfsg.*//'; }
qt=$(inside "readlink -f \$(ldd /usr/bin/paraview | awk '/libQt[56]Core[.]/ { print \$3 }')" | sed 's/.*so\.//')
echo "| $(. "$root/etc/os-release"; echo "${PRETTY_NAME}") | $(version paraview-dev) | $qt | $(inside g++ -dumpfullversion) | $(
  grep -E '^[0-9]+% tests passed' "$log/ctest.log" | tail -n 1) |"
exit $status
