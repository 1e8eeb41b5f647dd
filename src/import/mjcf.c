/** Bodies and joints. */
#include "mjcf.h"
#include "base.h"
#include <ctype.h>

static const sal_markup_element file_elements[] = {
#define ELEMENTS_OF_mujoco
#include "elements.def"
};
static const sal_markup_element body_elements[] = {
#define ELEMENTS_OF_body
#include "elements.def"
};

static sal_err read_limits(const sal_mjcf_file *file, const xmlNode *node, sal_robot_joint *j)
{
  const sal_markup *in = &file->in;
  const char *limited = sal_markup_text(in, node, "limited");
  double range[2], loss = 0, armature = 0, ref = 0;

  SAL_TRY(sal_markup_read(in, node, "range", 2, range, "ref", 1, &ref));
  j->limited = sal_markup_text(in, node, "range") && (!limited || strcmp(limited, "false") != 0);
  if (j->limited) {
    const bool turns = j->kind == SAL_ROBOT_HINGE;
    j->lo = turns ? sal_mjcf_angle(file, range[0]) : range[0];
    j->hi = turns ? sal_mjcf_angle(file, range[1]) : range[1];
  }
  if (ref != 0)
    return sal_markup_fail(in, node, "joint: ref: %g; allowed: 0, turn the body instead", ref);
  SAL_TRY(sal_markup_read(in, node, "frictionloss", 1, &loss, "armature", 1, &armature));
  if (loss != 0) sal_markup_note(in, node, "left out: frictionloss of %s", j->name);
  if (armature != 0) sal_markup_note(in, node, "left out: armature of %s", j->name);
  return SAL_OK;
}

static sal_err read_joint(const sal_mjcf_file *file, const xmlNode *node,
                          const sal_robot_pose *frame, sal_robot_body *b)
{
  static const char *const types[] = {"hinge", "slide", "ball", "free", NULL};
  const sal_markup *in = &file->in;
  const char *type = sal_markup_is(node, "freejoint") ? "free" : sal_markup_text(in, node, "type");
  double axis[3] = {0, 0, 1}, at[3] = {0}, rest = 0;
  int kind;

  SAL_TRY(sal_markup_rank(in, node, "type of joint", type ? type : "hinge", types, &kind));
  if (b->n_joint == SAL_ROBOT_JOINTS)
    return sal_markup_fail(in, node, "more than %d joints of a body", SAL_ROBOT_JOINTS);
  sal_robot_joint j = {.kind = (sal_robot_joint_kind)kind};
  sal_robot_name(in->robot, sal_markup_attribute(node, "name"), "joint", j.name);
  SAL_TRY(sal_markup_read(in, node, "axis", 3, axis, "pos", 3, at));
  sal_robot_turn(frame, axis, j.axis);
  sal_robot_point(frame, at, j.at);
  if (!sal_robot_unit(j.axis)) return sal_markup_fail(in, node, "joint: axis: it has no direction");
  SAL_TRY(sal_markup_read(in, node, "damping", 1, &j.damping, "stiffness", 1, &j.stiffness,
                          "springref", 1, &rest));
  j.rest = j.kind == SAL_ROBOT_HINGE ? sal_mjcf_angle(file, rest) : rest;
  SAL_TRY(read_limits(file, node, &j));
  b->joint[b->n_joint++] = j;
  return SAL_OK;
}

static sal_err read_inertial(const sal_mjcf_file *file, const xmlNode *node,
                             const sal_robot_pose *frame, int body)
{
  const sal_markup *in = &file->in;
  const bool full = sal_markup_text(in, node, "fullinertia"),
             some = sal_markup_text(in, node, "diaginertia");
  double m = -1, diagonal[6] = {0}, I[6];
  sal_robot_pose pose;

  SAL_TRY(sal_mjcf_pose(file, node, frame, &pose));
  SAL_TRY(
      sal_markup_read(in, node, "mass", 1, &m, "fullinertia", 6, I, "diaginertia", 3, diagonal));
  if (m < 0 || (!full && !some))
    return sal_markup_fail(
        in, node, "inertial: a mass from 0 on and diaginertia or fullinertia are expected");
  sal_robot_add_mass(in->robot, body, m, &pose, full ? I : diagonal);
  return SAL_OK;
}

static sal_err read_body(const sal_mjcf_file *file, const xmlNode *node,
                         const sal_robot_pose *frame, int parent);

/* Mass, shapes and inner bodies of a body, whose joints are known. */
static sal_err read_inside(const sal_mjcf_file *file, const xmlNode *node,
                           const sal_robot_pose *frame, int body)
{
  const xmlNode *inertial = sal_markup_first(node, "inertial");
  const bool heavy = file->from_shapes > 0 || (!inertial && file->from_shapes == 0);

  if (inertial && !heavy) SAL_TRY(read_inertial(file, inertial, frame, body));
  for (const xmlNode *g = sal_markup_first(node, "geom"); g; g = sal_markup_next(g, "geom"))
    SAL_TRY(sal_mjcf_geom(file, g, frame, body, heavy));
  SAL_TRY(sal_markup_rest(&file->in, node, body_elements));
  for (const xmlNode *b = sal_markup_first(node, "body"); b; b = sal_markup_next(b, "body"))
    SAL_TRY(read_body(file, b, frame, body));
  return SAL_OK;
}

static sal_err read_body(const sal_mjcf_file *file, const xmlNode *node,
                         const sal_robot_pose *frame, int parent)
{
  static const char *const kinds[] = {"joint", "freejoint"};
  const char *class = sal_markup_attribute(node, "childclass");
  sal_mjcf_file own = *file;
  int body = parent;
  sal_robot_pose pose;

  if (class) own.in.class = class;
  SAL_TRY(sal_mjcf_pose(&own, node, frame, &pose));
  if (sal_markup_first(node, "joint") || sal_markup_first(node, "freejoint"))
    SAL_TRY(sal_robot_add_body(own.in.robot, xmlGetLineNo(node), sal_markup_attribute(node, "name"),
                               parent, &body));
  for (int k = 0; k < 2; ++k)
    for (const xmlNode *j = sal_markup_first(node, kinds[k]); j; j = sal_markup_next(j, kinds[k]))
      SAL_TRY(read_joint(&own, j, &pose, &own.in.robot->body[body]));
  return read_inside(&own, node, &pose, body);
}

static sal_err read_sequence(sal_mjcf_file *file, const xmlNode *c, const char *sequence)
{
  file->fixed_axes = isupper((unsigned char)sequence[0]);
  for (int i = 0; i < 3; ++i) {
    const char *axes = file->fixed_axes ? "XYZ" : "xyz";
    const char *at = strlen(sequence) == 3 ? strchr(axes, sequence[i]) : NULL;
    if (!at)
      return sal_markup_fail(
          &file->in, c, "compiler: eulerseq: '%.20s'; three of x, y, z are expected", sequence);
    file->order[file->fixed_axes ? 2 - i : i] = (int)(at - axes);
  }
  return SAL_OK;
}

/* The settings of how numbers are meant. */
static sal_err read_compiler(sal_mjcf_file *file, const xmlNode *c)
{
  static const struct {
    const char *name, *allowed[4];
  } words[] = {{"angle", {"degree", "radian"}},
               {"coordinate", {"local"}},
               {"inertiafromgeom", {"auto", "false", "true"}}};
  const char *sequence = sal_markup_attribute(c, "eulerseq");

  for (int w = 0; w < 3; ++w) {
    const char *text = sal_markup_attribute(c, words[w].name);
    const int k = text ? sal_text_rank(text, words[w].allowed) : 0;
    if (k < 0)
      return sal_markup_fail(&file->in, c, "compiler: %s: '%.40s' is not read", words[w].name,
                             text);
    if (w == 0 && text) file->degrees = k == 0;
    if (w == 2 && text) file->from_shapes = k == 0 ? 0 : k == 1 ? -1 : 1;
  }
  return sequence ? read_sequence(file, c, sequence) : SAL_OK;
}

/* Attributes in defaults, whose elements are those of bodies. */
static sal_err check_defaults(const sal_markup *in, const xmlNode *parent)
{
  for (const xmlNode *d = sal_markup_first(parent, "default"); d; d = sal_markup_next(d, "default"))
    SAL_TRY(check_defaults(in, d));
  return sal_markup_is(parent, "default") ? sal_markup_rest(in, parent, body_elements) : SAL_OK;
}

/* Sections of one name add up. */
sal_err sal_mjcf_read(sal_robot *robot, const xmlNode *root)
{
  static const sal_markup_element none[] = {{.name = NULL}};
  sal_mjcf_file file = {
      .in = {.robot = robot, .defaults = root}, .degrees = true, .order = {0, 1, 2}};
  const xmlNode *c = sal_markup_first(root, "worldbody");

  if (!c) return sal_markup_fail(&file.in, root, "mujoco: element worldbody is missing");
  SAL_TRY(sal_markup_rest(&file.in, root, file_elements));
  SAL_TRY(check_defaults(&file.in, root));
  for (c = sal_markup_first(root, "compiler"); c; c = sal_markup_next(c, "compiler"))
    SAL_TRY(read_compiler(&file, c));
  for (c = sal_markup_first(root, "option"); c; c = sal_markup_next(c, "option")) {
    SAL_TRY(sal_markup_read(&file.in, c, "gravity", 3, robot->gravity));
    SAL_TRY(sal_markup_rest(&file.in, c, none));
  }
  for (c = sal_markup_first(root, "worldbody"); c; c = sal_markup_next(c, "worldbody")) {
    SAL_TRY(sal_markup_check_classes(&file.in, c));
    SAL_TRY(read_inside(&file, c, &sal_robot_origin, -1));
  }
  return SAL_OK;
}
