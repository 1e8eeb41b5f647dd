/** Angles, frames and shapes: masses, and which of them touch the ground. */
#include "base.h"
#include "mjcf.h"
#include <math.h>

static const char *const types[] = {"plane", "sphere", "capsule", "ellipsoid", "cylinder",
                                    "box",   "hfield", "mesh",    NULL};
enum { PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX };
static const int sizes[] = {0, 1, 2, 3, 2, 3}; /* how many numbers of size each has */
static const double pi = 3.14159265358979323846;

typedef struct {
  int type;
  double size[3]; /* radii, half lengths */
  sal_robot_pose pose;
  bool span; /* between two points, which give pose and length */
} shape;

/* Volume, and moments of inertia of mass 1 about its own axes. */
static double measure(const shape *s, double moment[3])
{
  const double a = s->size[0], b = s->size[1], c = s->size[2], h = 2 * b;
  const double ball = 4 * a / (4 * a + 3 * h); /* of a capsule: the share of its ends */

  moment[0] = moment[1] = moment[2] = 0.4 * a * a;
  switch (s->type) {
  case SPHERE:
    return 4 * pi / 3 * a * a * a;
  case CAPSULE:
    moment[0] = moment[1] =
        (1 - ball) * (3 * a * a + h * h) / 12 + ball * (0.4 * a * a + h * (3 * a + 2 * h) / 8);
    moment[2] = (1 - ball) * a * a / 2 + ball * 0.4 * a * a;
    return pi * a * a * (h + 4 * a / 3);
  case CYLINDER:
    moment[0] = moment[1] = (3 * a * a + h * h) / 12;
    moment[2] = a * a / 2;
    return pi * a * a * h;
  default: {
    const double f = s->type == BOX ? 1.0 / 3 : 0.2;
    moment[0] = f * (b * b + c * c);
    moment[1] = f * (a * a + c * c);
    moment[2] = f * (a * a + b * b);
    return (s->type == BOX ? 8 : 4 * pi / 3) * a * b * c;
  }
  }
}

/* Between two points of the frame: its axis z leads from the first to the second, as MuJoCo has it. */
static void span(const double ends[6], const sal_robot_pose *frame, shape *s)
{
  sal_robot_pose inner = sal_robot_origin;
  double z[3], q[4];

  for (int i = 0; i < 3; ++i) {
    z[i] = ends[i] - ends[3 + i];
    inner.p[i] = (ends[i] + ends[3 + i]) / 2;
  }
  s->size[s->type == CAPSULE || s->type == CYLINDER ? 1 : 2] = sqrt(sal_robot_dot(z, z)) / 2;
  if (sal_robot_unit(z)) { /* the least turn of the axis z to it */
    q[0] = 1 + z[2];
    q[1] = -z[1];
    q[2] = z[0];
    q[3] = 0;
    if (!(q[0] > 1e-12)) memcpy(q, (const double[]){0, 1, 0, 0}, sizeof q);
    sal_robot_quaternion(q, inner.R);
  }
  s->pose = sal_robot_pose_in(frame, &inner);
}

static sal_err read_shape(const sal_mjcf_file *file, const xmlNode *node,
                          const sal_robot_pose *frame, shape *s)
{
  const sal_markup *in = &file->in;
  const char *type = sal_markup_text(in, node, "type");
  double ends[6];

  s->type = SPHERE;
  if (type) SAL_TRY(sal_markup_rank(in, node, "type of geom", type, types, &s->type));
  SAL_TRY(sal_markup_read(in, node, "size", -3, s->size, "fromto", 6, ends));
  s->span = sal_markup_text(in, node, "fromto") && s->type >= CAPSULE && s->type <= BOX;
  SAL_TRY(sal_mjcf_pose(file, node, frame, &s->pose));
  if (s->span) {
    if (s->type == BOX || s->type == ELLIPSOID) s->size[1] = s->size[0];
    span(ends, frame, s);
  }
  const int least = s->type > BOX ? 0 : sizes[s->type];
  for (int i = 0; i < least; ++i)
    if (!(s->size[i] > 0))
      return sal_markup_fail(in, node, "geom: size: %d numbers above 0 are expected of a %s", least,
                             types[s->type]);
  return SAL_OK;
}

static sal_err add_mass(const sal_markup *in, const xmlNode *node, int body, const shape *s)
{
  const bool given = sal_markup_text(in, node, "mass");
  double mass = 0, density = 1000, I[6] = {0};

  SAL_TRY(sal_markup_read(in, node, "mass", 1, &mass, "density", 1, &density));
  if (mass < 0 || density < 0)
    return sal_markup_fail(in, node, "geom: %s: %g; allowed: from 0", mass < 0 ? "mass" : "density",
                           mass < 0 ? mass : density);
  if (s->type > BOX && (given ? mass : density) > 0)
    return sal_markup_fail(in, node, "geom: the mass of a %s is unknown; give its body an inertial",
                           types[s->type]);
  if (s->type > BOX) return SAL_OK;
  const double volume = measure(s, I);
  if (!given) mass = density * volume;
  for (int i = 0; i < 3; ++i) I[i] *= mass;
  sal_robot_add_mass(in->robot, body, mass, &s->pose, I);
  return SAL_OK;
}

/* Spheres touch where they lie, capsules with the spheres at their ends. */
static sal_err add_feet(const sal_markup *in, const xmlNode *node, int body, const shape *s,
                        sal_robot_touch touch)
{
  for (int side = 0; side < (s->type == CAPSULE ? 2 : 1); ++side) {
    sal_robot_foot foot = {.radius = s->size[0], .touch = touch};
    const double end[3] = {0, 0, s->type == SPHERE ? 0 : side ? -s->size[1] : s->size[1]};
    sal_robot_point(&s->pose, end, foot.at);
    const char *name = sal_markup_attribute(node, "name");
    SAL_TRY(sal_robot_add_foot(in->robot, xmlGetLineNo(node),
                               name ? name : in->robot->body[body].name, body, &foot));
  }
  return SAL_OK;
}

static sal_err add_plane(const sal_markup *in, const xmlNode *node, const shape *s,
                         sal_robot_touch touch)
{
  sal_robot *robot = in->robot;
  const int k = robot->n_plane;

  if (k == SAL_ROBOT_PLANES)
    return sal_markup_fail(in, node, "more than %d planes", SAL_ROBOT_PLANES);
  for (int i = 0; i < 3; ++i) robot->plane[k].normal[i] = s->pose.R[i][2];
  memcpy(robot->plane[k].at, s->pose.p, sizeof robot->plane[k].at);
  if (touch.mu < 0) return sal_markup_fail(in, node, "friction: %g; allowed: from 0", touch.mu);
  robot->plane[k].touch = touch;
  ++robot->n_plane;
  if (s->size[0] > 0 || s->size[1] > 0) sal_markup_note(in, node, "the plane has no edges here");
  return SAL_OK;
}

static uint32_t bits_of(double x) { return x > 0 && x < 4294967296.0 ? (uint32_t)x : 0; }

sal_err sal_mjcf_geom(const sal_mjcf_file *file, const xmlNode *node, const sal_robot_pose *frame,
                      int body, bool heavy)
{
  const sal_markup *in = &file->in;
  double kinds[2] = {1, 1}, friction[3] = {1}, condim = 3;
  shape s = {.type = SPHERE};

  SAL_TRY(read_shape(file, node, frame, &s));
  SAL_TRY(sal_markup_read(in, node, "contype", 1, &kinds[0], "conaffinity", 1, &kinds[1], "condim",
                          1, &condim, "friction", -3, friction));
  const sal_robot_touch touch = {
      .mu = friction[0], .bits = {bits_of(kinds[0]), bits_of(kinds[1])}, .slick = condim == 1};
  if (s.type == PLANE && body < 0) return add_plane(in, node, &s, touch);
  if (s.type == PLANE) {
    sal_markup_note(in, node, "left out: a plane that moves");
    return SAL_OK;
  }
  if (heavy && body >= 0) SAL_TRY(add_mass(in, node, body, &s));
  if (kinds[0] == 0 && kinds[1] == 0) return SAL_OK;
  if (body >= 0 && (s.type == SPHERE || s.type == CAPSULE))
    return add_feet(in, node, body, &s, touch);
  sal_markup_note(in, node, "left out: contacts of a %s %s", types[s.type],
                  body < 0 ? "of the world" : in->robot->body[body].name);
  return SAL_OK;
}

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
