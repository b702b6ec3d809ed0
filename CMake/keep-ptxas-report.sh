#!/bin/sh
# Compiler launcher for nvcc: moves the ptxas report (-Xptxas=-v) from the terminal into <object>.ptxas.
object=
previous=
for argument in "$@"; do
  [ "$previous" = -o ] && object=$argument
  previous=$argument
done
[ -n "$object" ] || exec "$@"
"$@" 2>"$object.stderr"
status=$?
report='ptxas info|bytes stack frame|bytes cumulative stack'
grep -E "$report" "$object.stderr" >"$object.ptxas"
grep -vE "$report" "$object.stderr" >&2
rm -f "$object.stderr"
exit $status
