/** Bodies and joints. */
#include "mjcf.h"
#include "base.h"
#include <ctype.h>

static const sal_markup_element file_elements[] = {
    {"compiler", NULL},
    {"default", NULL},
    {"option", NULL},
    {"worldbody", NULL},
    {"asset", ""},
    {"visual", ""},
    {"statistic", ""},
    {"size", ""},
    {"custom", ""},
    {"actuator", "motors"},
    {"keyframe", "a run begins where all joints are at 0; give initial states"},
    {"sensor", "measures of a text or a sweep"},
    {"contact", "which shapes touch each other; here spheres touch planes of the world"},
    {NULL, NULL}};
static const sal_markup_element body_elements[] = {
    {"inertial", NULL}, {"joint", NULL}, {"freejoint", NULL}, {"geom", NULL}, {"body", NULL},
    {"site", ""},       {"camera", ""},  {"light", ""},       {NULL, NULL}};

static sal_err read_limits(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                           sal_robot_joint *j)
{
  const char *limited = sal_mjcf_attribute(file, node, child, "limited");
  double range[2], loss[1] = {0}, armature[1] = {0}, ref[1] = {0};
  int n;

  SAL_TRY(sal_mjcf_numbers(file, node, child, "range", 2, 2, range, &n));
  j->limited = n == 2 && (!limited || strcmp(limited, "false") != 0);
  if (j->limited) {
    const bool turns = j->kind == SAL_ROBOT_HINGE;
    j->lo = turns ? sal_mjcf_angle(file, range[0]) : range[0];
    j->hi = turns ? sal_mjcf_angle(file, range[1]) : range[1];
  }
  SAL_TRY(sal_mjcf_numbers(file, node, child, "ref", 1, 1, ref, &n));
  if (ref[0] != 0)
    return sal_robot_fail(file->robot, xmlGetLineNo(node),
                          "joint: ref: %g; allowed: 0, turn the body instead", ref[0]);
  SAL_TRY(sal_mjcf_numbers(file, node, child, "frictionloss", 1, 1, loss, &n));
  SAL_TRY(sal_mjcf_numbers(file, node, child, "armature", 1, 1, armature, &n));
  if (loss[0] != 0)
    sal_robot_note(file->robot, xmlGetLineNo(node), "left out: frictionloss of %s", j->name);
  if (armature[0] != 0)
    sal_robot_note(file->robot, xmlGetLineNo(node), "left out: armature of %s", j->name);
  return SAL_OK;
}

static sal_err read_joint(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                          const sal_robot_pose *frame, sal_robot_body *b)
{
  static const char *const types[] = {"hinge", "slide", "ball", "free", NULL};
  const char *type =
      sal_markup_is(node, "freejoint") ? "free" : sal_mjcf_attribute(file, node, child, "type");
  const int kind = type ? sal_text_rank(type, types) : 0;
  double axis[3] = {0, 0, 1}, at[3] = {0}, rest[1] = {0};
  char where[1100];
  int n;

  snprintf(where, sizeof where, "%.1000s:%ld", file->robot->path, xmlGetLineNo(node));
  if (kind < 0) return sal_text_unknown(SAL_ERR_INPUT, where, "type of joint", type, types);
  if (b->n_joint == SAL_ROBOT_JOINTS)
    return sal_fail(SAL_ERR_INPUT, "%s: more than %d joints of a body", where, SAL_ROBOT_JOINTS);
  sal_robot_joint j = {.kind = (sal_robot_joint_kind)kind};
  sal_robot_name(file->robot, sal_markup_attribute(node, "name"), "joint", j.name);
  SAL_TRY(sal_mjcf_numbers(file, node, child, "axis", 3, 3, axis, &n));
  SAL_TRY(sal_mjcf_numbers(file, node, child, "pos", 3, 3, at, &n));
  sal_robot_turn(frame, axis, j.axis);
  sal_robot_point(frame, at, j.at);
  if (!sal_robot_unit(j.axis))
    return sal_fail(SAL_ERR_INPUT, "%s: joint: axis: it has no direction", where);
  SAL_TRY(sal_mjcf_numbers(file, node, child, "damping", 1, 1, &j.damping, &n));
  SAL_TRY(sal_mjcf_numbers(file, node, child, "stiffness", 1, 1, &j.stiffness, &n));
  SAL_TRY(sal_mjcf_numbers(file, node, child, "springref", 1, 1, rest, &n));
  j.rest = j.kind == SAL_ROBOT_HINGE ? sal_mjcf_angle(file, rest[0]) : rest[0];
  SAL_TRY(read_limits(file, node, child, &j));
  b->joint[b->n_joint++] = j;
  return SAL_OK;
}

static sal_err read_inertial(const sal_mjcf_file *file, const xmlNode *node,
                             const sal_robot_pose *frame, int body)
{
  double m = -1, diagonal[3], f[6];
  int n, full;
  sal_robot_pose pose;

  SAL_TRY(sal_mjcf_pose(file, node, NULL, frame, &pose));
  SAL_TRY(sal_mjcf_numbers(file, node, NULL, "mass", 1, 1, &m, &n));
  SAL_TRY(sal_mjcf_numbers(file, node, NULL, "fullinertia", 6, 6, f, &full));
  SAL_TRY(sal_mjcf_numbers(file, node, NULL, "diaginertia", 3, 3, diagonal, &n));
  if (m < 0 || (!full && !n))
    return sal_robot_fail(file->robot, xmlGetLineNo(node),
                          "inertial: a mass from 0 on and diaginertia or fullinertia are expected");
  for (int i = 0; i < 3 && !full; ++i) f[i] = diagonal[i];
  for (int i = 3; i < 6 && !full; ++i) f[i] = 0;
  double I[3][3] = {{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
  sal_robot_add_mass(file->robot, body, m, &pose, I);
  return SAL_OK;
}

static sal_err read_body(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                         const sal_robot_pose *frame, int parent);

/* Mass, shapes and inner bodies of a body, whose joints are known. */
static sal_err read_inside(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                           const sal_robot_pose *frame, int body)
{
  const xmlNode *inertial = sal_markup_first(node, "inertial");
  const bool heavy = !inertial || file->from_shapes;

  if (inertial && !heavy) SAL_TRY(read_inertial(file, inertial, frame, body));
  for (const xmlNode *g = sal_markup_first(node, "geom"); g; g = sal_markup_next(g, "geom"))
    SAL_TRY(sal_mjcf_geom(file, g, child, frame, body, heavy));
  sal_markup_rest(file->robot, node, body_elements);
  for (const xmlNode *b = sal_markup_first(node, "body"); b; b = sal_markup_next(b, "body"))
    SAL_TRY(read_body(file, b, child, frame, body));
  return SAL_OK;
}

static sal_err read_body(const sal_mjcf_file *file, const xmlNode *node, const char *child,
                         const sal_robot_pose *frame, int parent)
{
  static const char *const kinds[] = {"joint", "freejoint"};
  const char *own = sal_markup_attribute(node, "childclass");
  int body = parent;
  sal_robot_pose pose;

  if (own) child = own;
  SAL_TRY(sal_mjcf_pose(file, node, NULL, frame, &pose));
  if (sal_markup_first(node, "joint") || sal_markup_first(node, "freejoint"))
    SAL_TRY(sal_robot_add_body(file->robot, xmlGetLineNo(node), sal_markup_attribute(node, "name"),
                               parent, &body));
  for (int k = 0; k < 2; ++k)
    for (const xmlNode *j = sal_markup_first(node, kinds[k]); j; j = sal_markup_next(j, kinds[k]))
      SAL_TRY(read_joint(file, j, child, &pose, &file->robot->body[body]));
  return read_inside(file, node, child, &pose, body);
}

/* The settings of how numbers are meant. */
static sal_err read_compiler(sal_mjcf_file *file, const xmlNode *c)
{
  static const struct {
    const char *name, *allowed[3];
  } words[] = {{"angle", {"degree", "radian"}},
               {"coordinate", {"local"}},
               {"inertiafromgeom", {"auto", "false", "true"}}};
  const char *sequence = sal_markup_attribute(c, "eulerseq");

  for (int w = 0; c && w < 3; ++w) {
    const char *text = sal_markup_attribute(c, words[w].name);
    int k = 0;
    while (text && k < 3 && words[w].allowed[k] && strcmp(text, words[w].allowed[k]) != 0) ++k;
    if (text && (k == 3 || !words[w].allowed[k]))
      return sal_robot_fail(file->robot, xmlGetLineNo(c), "compiler: %s: '%.40s' is not read",
                            words[w].name, text);
    if (w == 0 && text) file->degrees = k == 0;
    if (w == 2 && text) file->from_shapes = k == 2;
  }
  if (!sequence) return SAL_OK;
  file->fixed_axes = isupper((unsigned char)sequence[0]);
  for (int i = 0; i < 3; ++i) {
    const char *axes = file->fixed_axes ? "XYZ" : "xyz";
    const char *at = strlen(sequence) == 3 ? strchr(axes, sequence[i]) : NULL;
    if (!at)
      return sal_robot_fail(file->robot, xmlGetLineNo(c),
                            "compiler: eulerseq: '%.20s'; three of x, y, z are expected", sequence);
    file->order[file->fixed_axes ? 2 - i : i] = (int)(at - axes);
  }
  return SAL_OK;
}

sal_err sal_mjcf_read(sal_robot *robot, const xmlNode *root)
{
  sal_mjcf_file file = {.robot = robot,
                        .defaults = sal_markup_first(root, "default"),
                        .degrees = true,
                        .order = {0, 1, 2}};
  const xmlNode *world = sal_markup_first(root, "worldbody"),
                *option = sal_markup_first(root, "option");
  int n;

  if (!world)
    return sal_robot_fail(robot, xmlGetLineNo(root), "mujoco: element worldbody is missing");
  SAL_TRY(read_compiler(&file, sal_markup_first(root, "compiler")));
  if (option) SAL_TRY(sal_mjcf_numbers(&file, option, NULL, "gravity", 3, 3, robot->gravity, &n));
  sal_markup_rest(robot, root, file_elements);
  return read_inside(&file, world, NULL, &sal_robot_origin, -1);
}
