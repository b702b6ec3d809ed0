#!/bin/bash
# tutorial.sh [PLUGIN FOLDER]: makes the screenshots of tutorial.md (docs/img) with ParaView on a virtual display. Needs
# imagemagick and xdotool. PLUGIN FOLDER: the folder `plugins` of a build or an installation.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
export PV_PLUGIN_PATH=${1:-$PWD/../build/plugin/lib/paraview-5.11/plugins} DISPLAY=:91 HOME=$(mktemp -d)
mkdir -p img
Xvfb :91 -screen 0 1280x860x24 -noreset >/dev/null 2>&1 &
display=$!
for step in 1 2 3 4; do
  STEP=$step DONE=$HOME/$step paraview --dr --script="$PWD/tutorial.py" >/dev/null 2>&1 &
  paraview=$!
  until [ -e "$HOME/$step" ]; do sleep 1; done
  window=
  until window=$(xdotool search --onlyvisible --name '^ParaView' 2>/dev/null | tail -n 1) && [ -n "$window" ]; do sleep 1; done
  xdotool windowsize "$window" 1280 860
  sleep 5
  import -window root +dither -colors 96 "img/tutorial_$step.png"
  kill $paraview
  wait $paraview 2>/dev/null
done
kill $display
rm -r "$HOME"
