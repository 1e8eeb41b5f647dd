#!/usr/bin/env bash
# make.sh BUILD_DIR: the tables of accelerations, by MuJoCo (jobscripts/setup.sh --mujoco).
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cmake --build "$1" --target bench_robot
robot() { # FILE UNDAMPED COORDINATE..
  "$build/bench_robot" "$here/$1" 100 "${@:2}" >"$here/${1%.*}.csv"
}
build=$1
robot hopper.urdf - torso_x torso_y torso_theta thigh_theta shank_y
robot biped.xml - torso_x torso_y torso_theta left-thigh_theta left-shank_theta right-thigh_theta right-shank_theta
robot arm.xml elbow upper_e2 rod_Z rod_e2 rod_e3
