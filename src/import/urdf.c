/** Links are looked for by name; a root without a mass is the ground, any other one is fixed to it. */
#include "urdf.h"
#include "base.h"
#include <math.h>

enum { MOST_LINKS = 1024 };

static const sal_markup_element robot_elements[] = {
    {.name = "link"},
    {.name = "joint"},
    {.name = "material", .left_out = ""},
    {.name = "gazebo", .left_out = "settings of a simulator"},
    {.name = "transmission", .left_out = "motors"},
    {.name = "mujoco", .left_out = ""},
    {.name = NULL}};
static const sal_markup_element link_elements[] = {{.name = "inertial"},
                                                   {.name = "collision"},
                                                   {.name = "contact"},
                                                   {.name = "visual", .left_out = ""},
                                                   {.name = NULL}};
static const sal_markup_element joint_elements[] = {
    {.name = "parent", .attributes = "link"},
    {.name = "child", .attributes = "link"},
    {.name = "origin", .attributes = "xyz rpy"},
    {.name = "axis", .attributes = "xyz"},
    {.name = "limit", .attributes = "lower upper effort velocity"},
    {.name = "dynamics", .attributes = "damping friction"},
    {.name = "mimic", .left_out = "the joint turns by itself"},
    {.name = "calibration", .left_out = ""},
    {.name = "safety_controller", .left_out = "motors"},
    {.name = NULL}};
static const char *const joint_types[] = {"revolute", "continuous", "prismatic", "floating",
                                          "planar",   "fixed",      NULL};
static const sal_robot_joint_kind kind_of[] = {SAL_ROBOT_HINGE, SAL_ROBOT_HINGE, SAL_ROBOT_SLIDE,
                                               SAL_ROBOT_FREE, SAL_ROBOT_PLANE};

static const char *name_of(const xmlNode *node)
{
  const char *name = sal_markup_attribute(node, "name");
  return name ? name : "";
}

/* Numbers of an attribute of an element that may be absent: they stay as they are then. */
static sal_err read(const sal_robot *robot, const xmlNode *node, const char *name, int n,
                    double x[])
{
  const char *text = sal_markup_attribute(node, name);
  int found;

  return text ? sal_markup_numbers(robot, node, name, text, n, n, x, &found) : SAL_OK;
}

static sal_err need(const sal_robot *robot, const xmlNode *node, const char *name, const char **out)
{
  *out = sal_markup_attribute(node, name);
  if (*out) return SAL_OK;
  return sal_robot_fail(robot, xmlGetLineNo(node), "%s: attribute %s is missing",
                        (const char *)node->name, name);
}

/* The child `origin` of a node, in a frame. */
static sal_err read_origin(const sal_robot *robot, const xmlNode *node, const sal_robot_pose *frame,
                           sal_robot_pose *out)
{
  static const int order[] = {2, 1, 0}; /* about fixed axes x, y, z, so about turned ones z, y, x */
  const xmlNode *origin = sal_markup_first(node, "origin");
  double rpy[3] = {0};
  sal_robot_pose inner = sal_robot_origin;

  SAL_TRY(read(robot, origin, "xyz", 3, inner.p));
  SAL_TRY(read(robot, origin, "rpy", 3, rpy));
  sal_robot_euler(order, (const double[]){rpy[2], rpy[1], rpy[0]}, inner.R);
  *out = sal_robot_pose_in(frame, &inner);
  return SAL_OK;
}

static sal_err read_inertial(sal_robot *robot, const xmlNode *link, const sal_robot_pose *frame,
                             int body)
{
  static const char *const entries[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const xmlNode *inertial = sal_markup_first(link, "inertial"),
                *mass = sal_markup_first(inertial, "mass");
  const xmlNode *tensor = sal_markup_first(inertial, "inertia");
  double m = 0, I[6] = {0};
  sal_robot_pose pose;

  if (!inertial) return SAL_OK;
  if (!mass || !tensor)
    return sal_robot_fail(robot, xmlGetLineNo(inertial), "inertial: %s is missing",
                          mass ? "inertia" : "mass");
  SAL_TRY(read_origin(robot, inertial, frame, &pose));
  SAL_TRY(read(robot, mass, "value", 1, &m));
  const char *given;
  SAL_TRY(need(robot, mass, "value", &given));
  for (int i = 0; i < 3; ++i) SAL_TRY(need(robot, tensor, entries[i], &given));
  for (int i = 0; i < 6; ++i) SAL_TRY(read(robot, tensor, entries[i], 1, &I[i]));
  if (m < 0) return sal_robot_fail(robot, xmlGetLineNo(mass), "mass: %g; allowed: from 0", m);
  double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  sal_robot_add_mass(robot, body, m, &pose, full);
  return SAL_OK;
}

/* A sphere of collision, which is a foot. */
static sal_err read_collision(sal_robot *robot, const xmlNode *link, const xmlNode *collision,
                              const sal_robot_pose *frame, int body)
{
  const xmlNode *shape = sal_markup_first(sal_markup_first(collision, "geometry"), NULL);
  const xmlNode *friction = sal_markup_first(sal_markup_first(link, "contact"), "lateral_friction");
  sal_robot_pose pose;
  sal_robot_foot foot = {.touch = {.mu = 1, .bits = {1, 1}}};

  if (!shape || !sal_markup_is(shape, "sphere")) {
    sal_robot_note(robot, xmlGetLineNo(collision),
                   "left out: collision of %s %.40s; spheres are read",
                   shape ? (const char *)shape->name : "nothing, on", name_of(link));
    return SAL_OK;
  }
  SAL_TRY(read_origin(robot, collision, frame, &pose));
  SAL_TRY(read(robot, shape, "radius", 1, &foot.radius));
  SAL_TRY(read(robot, friction, "value", 1, &foot.touch.mu));
  if (!(foot.radius > 0))
    return sal_robot_fail(robot, xmlGetLineNo(shape), "sphere: radius: %g; allowed: above 0",
                          foot.radius);
  memcpy(foot.at, pose.p, sizeof foot.at);
  return sal_robot_add_foot(
      robot, xmlGetLineNo(collision),
      sal_markup_attribute(collision, "name") ? name_of(collision) : name_of(link), body, &foot);
}

static sal_err read_link(sal_robot *robot, const xmlNode *link, const sal_robot_pose *frame,
                         int body)
{
  SAL_TRY(read_inertial(robot, link, frame, body));
  for (const xmlNode *c = sal_markup_first(link, "collision"); c;
       c = sal_markup_next(c, "collision"))
    SAL_TRY(read_collision(robot, link, c, frame, body));
  return sal_markup_rest(robot, link, link_elements);
}

static sal_err read_joint(sal_robot *robot, const xmlNode *node, int type,
                          const sal_robot_pose *frame, sal_robot_joint *joint)
{
  const xmlNode *limit = sal_markup_first(node, "limit"),
                *dynamics = sal_markup_first(node, "dynamics");
  double axis[3] = {1, 0, 0}, friction = 0;

  joint->kind = kind_of[type];
  sal_robot_name(robot, name_of(node), "joint", joint->name);
  memcpy(joint->at, frame->p, sizeof joint->at);
  SAL_TRY(read(robot, sal_markup_first(node, "axis"), "xyz", 3, axis));
  sal_robot_turn(frame, axis, joint->axis);
  if (!sal_robot_unit(joint->axis))
    return sal_robot_fail(robot, xmlGetLineNo(node), "joint: axis: it has no direction");
  SAL_TRY(read(robot, dynamics, "damping", 1, &joint->damping));
  SAL_TRY(read(robot, dynamics, "friction", 1, &friction));
  if (friction != 0)
    sal_robot_note(robot, xmlGetLineNo(dynamics), "left out: dry friction %g in joint %s", friction,
                   joint->name);
  joint->limited = limit && (type == 0 || type == 2);
  if (!joint->limited) return SAL_OK;
  SAL_TRY(read(robot, limit, "lower", 1, &joint->lo));
  return read(robot, limit, "upper", 1, &joint->hi);
}

static const xmlNode *find(const xmlNode *root, const char *name)
{
  const xmlNode *link = sal_markup_first(root, "link");

  while (link && strcmp(name_of(link), name) != 0) link = sal_markup_next(link, "link");
  return link;
}

/* A link with its pose and body, and all that hangs on it; each link is a child of one joint, so this ends. */
static sal_err descend(sal_robot *robot, const xmlNode *root, const xmlNode *link,
                       const sal_robot_pose *frame, int body, int *seen)
{
  ++*seen;
  SAL_TRY(read_link(robot, link, frame, body));
  for (const xmlNode *j = sal_markup_first(root, "joint"); j; j = sal_markup_next(j, "joint")) {
    const char *parent = sal_markup_attribute(sal_markup_first(j, "parent"), "link");
    if (!parent || strcmp(parent, name_of(link)) != 0) continue;
    const xmlNode *child = find(root, sal_markup_attribute(sal_markup_first(j, "child"), "link"));
    const int type = sal_text_rank(sal_markup_attribute(j, "type"), joint_types);
    int moved = body;
    sal_robot_pose pose;
    SAL_TRY(read_origin(robot, j, frame, &pose));
    if (joint_types[type + 1]) {
      SAL_TRY(sal_robot_add_body(robot, xmlGetLineNo(j), name_of(child), body, &moved));
      sal_robot_joint joint = {.kind = SAL_ROBOT_FREE};
      SAL_TRY(read_joint(robot, j, type, &pose, &joint));
      robot->body[moved].joint[robot->body[moved].n_joint++] = joint;
    }
    SAL_TRY(sal_markup_rest(robot, j, joint_elements));
    SAL_TRY(descend(robot, root, child, &pose, moved, seen));
  }
  return SAL_OK;
}

static sal_err check_joint(const sal_robot *robot, const xmlNode *root, const xmlNode *j)
{
  static const char *const ends[] = {"parent", "child"};
  const char *type, *name;
  char where[SAL_TEXT_NUMBER + 1024];

  snprintf(where, sizeof where, "%.1000s:%ld", robot->path, xmlGetLineNo(j));
  SAL_TRY(need(robot, j, "type", &type));
  if (sal_text_rank(type, joint_types) < 0)
    return sal_text_unknown(SAL_ERR_INPUT, where, "type of joint", type, joint_types);
  for (int i = 0; i < 2; ++i) {
    const xmlNode *end = sal_markup_first(j, ends[i]);
    if (!end)
      return sal_robot_fail(robot, xmlGetLineNo(j), "joint: element %s is missing", ends[i]);
    SAL_TRY(need(robot, end, "link", &name));
    if (!find(root, name))
      return sal_robot_fail(robot, xmlGetLineNo(end), "%s: link '%.60s' does not exist", ends[i],
                            name);
  }
  for (const xmlNode *o = sal_markup_first(root, "joint"); o != j; o = sal_markup_next(o, "joint"))
    if (strcmp(sal_markup_attribute(sal_markup_first(o, "child"), "link"), name) == 0)
      return sal_robot_fail(robot, xmlGetLineNo(j),
                            "link '%.60s' is the child of two joints; a tree is expected", name);
  return SAL_OK;
}

/* The link that is not a child of a joint. */
static sal_err find_root(const sal_robot *robot, const xmlNode *root, const xmlNode **out, int *n)
{
  *out = NULL;
  *n = 0;
  for (const xmlNode *j = sal_markup_first(root, "joint"); j; j = sal_markup_next(j, "joint"))
    SAL_TRY(check_joint(robot, root, j));
  for (const xmlNode *l = sal_markup_first(root, "link"); l; l = sal_markup_next(l, "link")) {
    const xmlNode *j = sal_markup_first(root, "joint");
    while (j && strcmp(sal_markup_attribute(sal_markup_first(j, "child"), "link"), name_of(l)) != 0)
      j = sal_markup_next(j, "joint");
    if (!j && *out)
      return sal_robot_fail(robot, xmlGetLineNo(l),
                            "no joint leads to link '%.60s', nor to '%.60s'", name_of(l),
                            name_of(*out));
    if (find(root, name_of(l)) != l || ++*n > MOST_LINKS)
      return sal_robot_fail(robot, xmlGetLineNo(l), "a second link '%.60s', or more than %d",
                            name_of(l), MOST_LINKS);
    if (!j) *out = l;
  }
  return *out ? SAL_OK
              : sal_robot_fail(robot, xmlGetLineNo(root), "no link is the root of the others");
}

sal_err sal_urdf_read(sal_robot *robot, const xmlNode *root)
{
  const xmlNode *first;
  int n, seen = 0;

  SAL_TRY(sal_markup_rest(robot, root, robot_elements));
  SAL_TRY(find_root(robot, root, &first, &n));
  if (sal_markup_first(first, "inertial"))
    sal_robot_note(
        robot, xmlGetLineNo(first),
        "link %.60s is fixed to the ground; a link without mass above it, and a joint of "
        "type floating or planar, let it move",
        name_of(first));
  robot->n_plane = 1;
  robot->plane[0].normal[2] = 1;
  robot->plane[0].touch = (sal_robot_touch){.bits = {1, 1}};
  SAL_TRY(descend(robot, root, first, &sal_robot_origin, -1, &seen));
  if (seen == n) return SAL_OK;
  return sal_robot_fail(robot, xmlGetLineNo(root), "%d of %d links are in a ring of joints",
                        n - seen, n);
}
