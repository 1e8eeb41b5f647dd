/** Angles and frames. */
#include "mjcf.h"

double sal_mjcf_angle(const sal_mjcf_file *file, double x)
{
  return file->degrees ? x * (3.14159265358979323846 / 180) : x;
}

static sal_err turn_of(const sal_mjcf_file *file, const xmlNode *node, double R[3][3])
{
  const sal_markup *in = &file->in;
  const bool quat = sal_markup_text(in, node, "quat"), euler = sal_markup_text(in, node, "euler"),
             axis = sal_markup_text(in, node, "axisangle");
  double q[4] = {0}, a[4], e[3], turn[3][3];

  SAL_TRY(sal_markup_read(in, node, "quat", 4, q, "axisangle", 4, a, "euler", 3, e));
  if (quat + axis + euler > 1)
    return sal_markup_fail(in, node, "%s: more than one of quat, axisangle, euler",
                           (const char *)node->name);
  if (euler) {
    double angle[3];
    for (int i = 0; i < 3; ++i) angle[i] = sal_mjcf_angle(file, e[file->fixed_axes ? 2 - i : i]);
    sal_robot_euler(file->order, angle, R);
  }
  if (axis) {
    if (!sal_robot_unit(a)) return sal_markup_fail(in, node, "axisangle: no direction");
    sal_robot_euler((const int[]){0, 1, 2}, (const double[]){sal_mjcf_angle(file, a[3]) / 2, 0, 0},
                    turn);
    q[0] = turn[1][1]; /* cosine and sine of half the angle */
    for (int i = 0; i < 3; ++i) q[1 + i] = a[i] * turn[2][1];
  }
  if (!quat && !axis) return SAL_OK;
  if (!(q[0] * q[0] + sal_robot_dot(q + 1, q + 1) > 0))
    return sal_markup_fail(in, node, "quat: 0 has no direction");
  sal_robot_quaternion(q, R);
  return SAL_OK;
}

sal_err sal_mjcf_pose(const sal_mjcf_file *file, const xmlNode *node, const sal_robot_pose *frame,
                      sal_robot_pose *out)
{
  static const char *const unknown[] = {"xyaxes", "zaxis"};
  sal_robot_pose inner = sal_robot_origin;

  for (int i = 0; i < 2; ++i)
    if (sal_markup_text(&file->in, node, unknown[i]))
      return sal_markup_fail(&file->in, node, "%s: %s is not read; allowed: quat, euler, axisangle",
                             (const char *)node->name, unknown[i]);
  SAL_TRY(sal_markup_read(&file->in, node, "pos", 3, inner.p));
  SAL_TRY(turn_of(file, node, inner.R));
  *out = sal_robot_pose_in(frame, &inner);
  return SAL_OK;
}
