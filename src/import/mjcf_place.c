/** Attributes with their classes, and frames. */
#include "base.h"
#include "mjcf.h"

static const xmlNode *find_class(const xmlNode *parent, const char *name)
{
  const xmlNode *d = sal_markup_first(parent, "default"), *found = NULL;

  for (; d && !found; d = sal_markup_next(d, "default")) {
    const char *own = sal_markup_attribute(d, "class");
    found = own && strcmp(own, name) == 0 ? d : find_class(d, name);
  }
  return found;
}

/* Classes within classes, and what those of the outermost level, "main", have together. */
const char *sal_mjcf_attribute(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                               const char *name)
{
  const char *own = sal_markup_attribute(node, name), *class = sal_markup_attribute(node, "class");
  const char *kind = (const char *)node->name;

  if (!class) class = child;
  const xmlNode *d = class ? find_class(file->root, class) : NULL;
  for (; !own && d && sal_markup_is(d, "default"); d = d->parent)
    own = sal_markup_attribute(sal_markup_first(d, kind), name);
  d = sal_markup_first(file->root, "default");
  for (; !own && d; d = sal_markup_next(d, "default"))
    own = sal_markup_attribute(sal_markup_first(d, kind), name);
  return own;
}

sal_err sal_mjcf_check_classes(const sal_mjcf_file *file, const xmlNode *node)
{
  static const char *const names[] = {"class", "childclass"};

  for (int i = 0; i < 2; ++i) {
    const char *class = sal_markup_attribute(node, names[i]);
    if (class && strcmp(class, "main") != 0 && !find_class(file->root, class))
      return sal_robot_fail(file->robot, xmlGetLineNo(node), "%s: %s: no default has '%.60s'",
                            (const char *)node->name, names[i], class);
  }
  for (const xmlNode *c = sal_markup_first(node, NULL); c; c = sal_markup_next(c, NULL))
    SAL_TRY(sal_mjcf_check_classes(file, c));
  return SAL_OK;
}

sal_err sal_mjcf_numbers(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                         const char *name, int least, int most, double x[], int *n)
{
  const char *text = sal_mjcf_attribute(file, node, child, name);

  *n = 0;
  return text ? sal_markup_numbers(file->robot, node, name, text, least, most, x, n) : SAL_OK;
}

double sal_mjcf_angle(const sal_mjcf_file *file, double x)
{
  return file->degrees ? x * (3.14159265358979323846 / 180) : x;
}

static sal_err turn_of(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                       double R[3][3])
{
  double q[4], a[4], e[3];
  int quat, axis, euler;

  SAL_TRY(sal_mjcf_numbers(file, node, child, "quat", 4, 4, q, &quat));
  SAL_TRY(sal_mjcf_numbers(file, node, child, "axisangle", 4, 4, a, &axis));
  SAL_TRY(sal_mjcf_numbers(file, node, child, "euler", 3, 3, e, &euler));
  if ((quat > 0) + (axis > 0) + (euler > 0) > 1)
    return sal_robot_fail(file->robot, xmlGetLineNo(node),
                          "%s: more than one of quat, axisangle, euler", (const char *)node->name);
  if (euler) {
    double angle[3];
    for (int i = 0; i < 3; ++i) angle[i] = sal_mjcf_angle(file, e[file->fixed_axes ? 2 - i : i]);
    sal_robot_euler(file->order, angle, R);
  }
  if (axis) {
    if (!sal_robot_unit(a))
      return sal_robot_fail(file->robot, xmlGetLineNo(node), "axisangle: no direction");
    double turn[3][3];
    sal_robot_euler((const int[]){0, 1, 2}, (const double[]){sal_mjcf_angle(file, a[3]) / 2, 0, 0},
                    turn);
    q[0] = turn[1][1]; /* cosine and sine of half the angle */
    for (int i = 0; i < 3; ++i) q[1 + i] = a[i] * turn[2][1];
  }
  if (!quat && !axis) return SAL_OK;
  if (!(q[0] * q[0] + sal_robot_dot(q + 1, q + 1) > 0))
    return sal_robot_fail(file->robot, xmlGetLineNo(node), "quat: 0 has no direction");
  sal_robot_quaternion(q, R);
  return SAL_OK;
}

sal_err sal_mjcf_pose(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                      const sal_robot_pose *frame, sal_robot_pose *out)
{
  static const char *const unknown[] = {"xyaxes", "zaxis"};
  sal_robot_pose inner = sal_robot_origin;
  int n;

  for (int i = 0; i < 2; ++i)
    if (sal_mjcf_attribute(file, node, child, unknown[i]))
      return sal_robot_fail(file->robot, xmlGetLineNo(node),
                            "%s: %s is not read; allowed: quat, euler, axisangle",
                            (const char *)node->name, unknown[i]);
  SAL_TRY(sal_mjcf_numbers(file, node, child, "pos", 3, 3, inner.p, &n));
  SAL_TRY(turn_of(file, node, child, inner.R));
  *out = sal_robot_pose_in(frame, &inner);
  return SAL_OK;
}
