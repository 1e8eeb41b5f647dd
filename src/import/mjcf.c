/** Bodies and joints. */
#include "mjcf.h"
#include "base.h"
#include <ctype.h>

static const sal_markup_element file_elements[] = {
    {.name = "compiler",
     .attributes = "angle coordinate inertiafromgeom eulerseq autolimits meshdir texturedir "
                   "assetdir strippath "
                   "discardvisual convexhull usethread"},
    {.name = "default"},
    {.name = "option",
     .attributes =
         "gravity timestep integrator cone jacobian solver iterations tolerance ls_iterations "
         "ls_tolerance noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance impratio"},
    {.name = "include", .left_out = "put its text in its place", .refused = true},
    {.name = "worldbody"},
    {.name = "asset", .left_out = ""},
    {.name = "visual", .left_out = ""},
    {.name = "statistic", .left_out = ""},
    {.name = "size", .left_out = ""},
    {.name = "custom", .left_out = ""},
    {.name = "actuator", .left_out = "motors"},
    {.name = "keyframe", .left_out = "a run begins where all joints are at 0; give initial states"},
    {.name = "sensor", .left_out = "measures of a text or a sweep"},
    {.name = "contact",
     .left_out = "which shapes touch each other; here spheres touch planes of the world"},
    {.name = NULL}};
#define PLAIN "import what MuJoCo saves of the compiled robot"
static const sal_markup_element body_elements[] = {
    {.name = "inertial", .attributes = "pos quat axisangle euler mass diaginertia fullinertia"},
    {.name = "joint",
     .attributes = "name class type pos axis damping stiffness springref limited range ref "
                   "frictionloss armature "
                   "group user"},
    {.name = "freejoint", .attributes = "name group align"},
    {.name = "geom",
     .attributes =
         "name class type pos quat axisangle euler fromto size mass density friction contype "
         "conaffinity condim rgba material group user mesh hfield"},
    {.name = "body", .attributes = "name childclass pos quat axisangle euler user"},
    {.name = "default"},
    {.name = "site", .left_out = ""},
    {.name = "camera", .left_out = ""},
    {.name = "light", .left_out = ""},
    {.name = "include", .left_out = "put its text in its place", .refused = true},
    {.name = "frame", .left_out = PLAIN, .refused = true},
    {.name = "replicate", .left_out = PLAIN, .refused = true},
    {.name = "composite", .left_out = PLAIN, .refused = true},
    {.name = "flexcomp", .left_out = PLAIN, .refused = true},
    {.name = "attach", .left_out = PLAIN, .refused = true},
    {.name = NULL}};

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
  const bool heavy = file->from_shapes > 0 || (!inertial && file->from_shapes == 0);

  if (inertial && !heavy) SAL_TRY(read_inertial(file, inertial, frame, body));
  for (const xmlNode *g = sal_markup_first(node, "geom"); g; g = sal_markup_next(g, "geom"))
    SAL_TRY(sal_mjcf_geom(file, g, child, frame, body, heavy));
  SAL_TRY(sal_markup_rest(file->robot, node, body_elements));
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
    if (w == 2 && text) file->from_shapes = k == 0 ? 0 : k == 1 ? -1 : 1;
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

/* Attributes in defaults, whose elements are those of bodies. */
static sal_err check_defaults(const sal_mjcf_file *file, const xmlNode *parent)
{
  for (const xmlNode *d = sal_markup_first(parent, "default"); d; d = sal_markup_next(d, "default"))
    SAL_TRY(check_defaults(file, d));
  return sal_markup_is(parent, "default") ? sal_markup_rest(file->robot, parent, body_elements)
                                          : SAL_OK;
}

/* Sections of one name add up. */
sal_err sal_mjcf_read(sal_robot *robot, const xmlNode *root)
{
  static const sal_markup_element none[] = {{.name = NULL}};
  sal_mjcf_file file = {.robot = robot, .root = root, .degrees = true, .order = {0, 1, 2}};
  const xmlNode *c = sal_markup_first(root, "worldbody");
  int n;

  if (!c) return sal_robot_fail(robot, xmlGetLineNo(root), "mujoco: element worldbody is missing");
  SAL_TRY(sal_markup_rest(robot, root, file_elements));
  SAL_TRY(check_defaults(&file, root));
  for (c = sal_markup_first(root, "compiler"); c; c = sal_markup_next(c, "compiler"))
    SAL_TRY(read_compiler(&file, c));
  for (c = sal_markup_first(root, "option"); c; c = sal_markup_next(c, "option")) {
    SAL_TRY(sal_mjcf_numbers(&file, c, NULL, "gravity", 3, 3, robot->gravity, &n));
    SAL_TRY(sal_markup_rest(robot, c, none));
  }
  for (c = sal_markup_first(root, "worldbody"); c; c = sal_markup_next(c, "worldbody")) {
    SAL_TRY(sal_mjcf_check_classes(&file, c));
    SAL_TRY(read_inside(&file, c, NULL, &sal_robot_origin, -1));
  }
  return SAL_OK;
}
