/** MJCF: bodies within bodies, their joints and shapes, after MuJoCo's XML reference,
 *  https://mujoco.readthedocs.io/en/stable/XMLreference.html.
 */
#pragma once

#include "markup.h"

sal_err sal_mjcf_read(sal_robot *robot, const xmlNode *root);

/** Settings of a file, which are read before its bodies. */
typedef struct {
  sal_markup in; /* its class is that of childclass */
  bool degrees;
  int from_shapes; /* inertia of shapes: 1 also where a body has one of its own, 0 else, -1 never */
  int order[3];    /* axes of Euler angles */
  bool fixed_axes;
} sal_mjcf_file;

/** An angle of the file in rad. */
double sal_mjcf_angle(const sal_mjcf_file *file, double x);
/** The frame of an element with pos and one of quat, euler, axisangle, in `frame`. */
sal_err sal_mjcf_pose(const sal_mjcf_file *file, const xmlNode *node, const sal_robot_pose *frame,
                      sal_robot_pose *out);
/** A shape on a body, -1: the ground: its mass where `heavy`, spheres and planes that touch. */
sal_err sal_mjcf_geom(const sal_mjcf_file *file, const xmlNode *node, const sal_robot_pose *frame,
                      int body, bool heavy);
