/** Links are looked for by name; a root without a mass is the ground, any other one is fixed to it. */
#include "base.h"
#include "markup.h"
#include <math.h>

enum { MOST_LINKS = 1024 };

static const sal_markup_element robot_elements[] = {
#define ELEMENTS_OF_robot
#include "elements.def"
};
static const sal_markup_element link_elements[] = {
#define ELEMENTS_OF_link
#include "elements.def"
};
static const sal_markup_element joint_elements[] = {
#define ELEMENTS_OF_joint
#include "elements.def"
};
static const char *const joint_types[] = {"revolute", "continuous", "prismatic", "floating",
                                          "planar",   "fixed",      NULL};
static const sal_robot_joint_kind kind_of[] = {SAL_ROBOT_HINGE, SAL_ROBOT_HINGE, SAL_ROBOT_SLIDE,
                                               SAL_ROBOT_FREE, SAL_ROBOT_PLANE};

static const char *name_of(const xmlNode *node)
{
  const char *name = sal_markup_attribute(node, "name");
  return name ? name : "";
}

/* The link at an end of a joint: its child `parent` or `child`. */
static const char *link_of(const xmlNode *joint, const char *end)
{
  return sal_markup_attribute(sal_markup_first(joint, end), "link");
}

static sal_err need(const sal_markup *in, const xmlNode *node, const char *name)
{
  if (sal_markup_attribute(node, name)) return SAL_OK;
  return sal_markup_fail(in, node, "%s: attribute %s is missing", (const char *)node->name, name);
}

/* The child `origin` of a node, in a frame. */
static sal_err read_origin(const sal_markup *in, const xmlNode *node, const sal_robot_pose *frame,
                           sal_robot_pose *out)
{
  static const int order[] = {2, 1, 0}; /* about fixed axes x, y, z, so about turned ones z, y, x */
  double rpy[3] = {0};
  sal_robot_pose inner = sal_robot_origin;

  SAL_TRY(sal_markup_read(in, sal_markup_first(node, "origin"), "xyz", 3, inner.p, "rpy", 3, rpy));
  sal_robot_euler(order, (const double[]){rpy[2], rpy[1], rpy[0]}, inner.R);
  *out = sal_robot_pose_in(frame, &inner);
  return SAL_OK;
}

static sal_err read_inertial(const sal_markup *in, const xmlNode *link, const sal_robot_pose *frame,
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
    return sal_markup_fail(in, inertial, "inertial: %s is missing", mass ? "inertia" : "mass");
  SAL_TRY(read_origin(in, inertial, frame, &pose));
  SAL_TRY(sal_markup_read(in, mass, "value", 1, &m));
  SAL_TRY(need(in, mass, "value"));
  for (int i = 0; i < 6; ++i) SAL_TRY(need(in, tensor, entries[i]));
  for (int i = 0; i < 6; ++i) SAL_TRY(sal_markup_read(in, tensor, entries[i], 1, &I[i]));
  if (m < 0) return sal_markup_fail(in, mass, "mass: %g; allowed: from 0", m);
  sal_robot_add_mass(in->robot, body, m, &pose, I);
  return SAL_OK;
}

/* A sphere of collision, which is a foot. */
static sal_err read_collision(const sal_markup *in, const xmlNode *link, const xmlNode *collision,
                              const sal_robot_pose *frame, int body)
{
  const xmlNode *shape = sal_markup_first(sal_markup_first(collision, "geometry"), NULL);
  const xmlNode *friction = sal_markup_first(sal_markup_first(link, "contact"), "lateral_friction");
  const char *name = sal_markup_attribute(collision, "name");
  sal_robot_pose pose;
  sal_robot_foot foot = {.touch = {.mu = 1, .bits = {1, 1}}};

  if (!shape || !sal_markup_is(shape, "sphere")) {
    sal_markup_note(in, collision, "left out: collision of %s %.40s; spheres are read",
                    shape ? (const char *)shape->name : "nothing, on", name_of(link));
    return SAL_OK;
  }
  SAL_TRY(read_origin(in, collision, frame, &pose));
  SAL_TRY(sal_markup_read(in, shape, "radius", 1, &foot.radius));
  SAL_TRY(sal_markup_read(in, friction, "value", 1, &foot.touch.mu));
  if (!(foot.radius > 0))
    return sal_markup_fail(in, shape, "sphere: radius: %g; allowed: above 0", foot.radius);
  memcpy(foot.at, pose.p, sizeof foot.at);
  return sal_robot_add_foot(in->robot, xmlGetLineNo(collision), name ? name : name_of(link), body,
                            &foot);
}

static sal_err read_joint(const sal_markup *in, const xmlNode *node, int type,
                          const sal_robot_pose *frame, sal_robot_joint *joint)
{
  const xmlNode *limit = sal_markup_first(node, "limit"),
                *dynamics = sal_markup_first(node, "dynamics");
  double axis[3] = {1, 0, 0}, friction = 0;

  joint->kind = kind_of[type];
  sal_robot_name(in->robot, name_of(node), "joint", joint->name);
  memcpy(joint->at, frame->p, sizeof joint->at);
  SAL_TRY(sal_markup_read(in, sal_markup_first(node, "axis"), "xyz", 3, axis));
  sal_robot_turn(frame, axis, joint->axis);
  if (!sal_robot_unit(joint->axis))
    return sal_markup_fail(in, node, "joint: axis: it has no direction");
  SAL_TRY(sal_markup_read(in, dynamics, "damping", 1, &joint->damping, "friction", 1, &friction));
  if (friction != 0)
    sal_markup_note(in, dynamics, "left out: dry friction %g in joint %s", friction, joint->name);
  joint->limited = limit && (type == 0 || type == 2);
  if (!joint->limited) return SAL_OK;
  return sal_markup_read(in, limit, "lower", 1, &joint->lo, "upper", 1, &joint->hi);
}

static const xmlNode *find(const xmlNode *root, const char *name)
{
  const xmlNode *link = sal_markup_first(root, "link");

  while (link && strcmp(name_of(link), name) != 0) link = sal_markup_next(link, "link");
  return link;
}

/* The first joint whose child is this link. */
static const xmlNode *joint_to(const xmlNode *root, const char *link)
{
  const xmlNode *j = sal_markup_first(root, "joint");

  while (j && strcmp(link_of(j, "child"), link) != 0) j = sal_markup_next(j, "joint");
  return j;
}

/* A link with its pose and body, and all that hangs on it; each link is a child of one joint, so this ends. */
static sal_err descend(const sal_markup *in, const xmlNode *root, const xmlNode *link,
                       const sal_robot_pose *frame, int body, int *seen)
{
  sal_robot *robot = in->robot;

  ++*seen;
  SAL_TRY(read_inertial(in, link, frame, body));
  for (const xmlNode *c = sal_markup_first(link, "collision"); c;
       c = sal_markup_next(c, "collision"))
    SAL_TRY(read_collision(in, link, c, frame, body));
  SAL_TRY(sal_markup_rest(in, link, link_elements));
  for (const xmlNode *j = sal_markup_first(root, "joint"); j; j = sal_markup_next(j, "joint")) {
    if (strcmp(link_of(j, "parent"), name_of(link)) != 0) continue;
    const xmlNode *child = find(root, link_of(j, "child"));
    const int type = sal_text_rank(sal_markup_attribute(j, "type"), joint_types);
    int moved = body;
    sal_robot_pose pose;
    SAL_TRY(read_origin(in, j, frame, &pose));
    if (joint_types[type + 1]) {
      SAL_TRY(sal_robot_add_body(robot, xmlGetLineNo(j), name_of(child), body, &moved));
      sal_robot_joint joint = {.kind = SAL_ROBOT_FREE};
      SAL_TRY(read_joint(in, j, type, &pose, &joint));
      robot->body[moved].joint[robot->body[moved].n_joint++] = joint;
    }
    SAL_TRY(sal_markup_rest(in, j, joint_elements));
    SAL_TRY(descend(in, root, child, &pose, moved, seen));
  }
  return SAL_OK;
}

static sal_err check_joint(const sal_markup *in, const xmlNode *root, const xmlNode *j)
{
  static const char *const ends[] = {"parent", "child"};
  int type;

  SAL_TRY(need(in, j, "type"));
  SAL_TRY(
      sal_markup_rank(in, j, "type of joint", sal_markup_attribute(j, "type"), joint_types, &type));
  for (int i = 0; i < 2; ++i) {
    const xmlNode *end = sal_markup_first(j, ends[i]);
    if (!end) return sal_markup_fail(in, j, "joint: element %s is missing", ends[i]);
    SAL_TRY(need(in, end, "link"));
    if (!find(root, link_of(j, ends[i])))
      return sal_markup_fail(in, end, "%s: link '%.60s' does not exist", ends[i],
                             link_of(j, ends[i]));
  }
  if (joint_to(root, link_of(j, "child")) != j)
    return sal_markup_fail(in, j, "link '%.60s' is the child of two joints; a tree is expected",
                           link_of(j, "child"));
  return SAL_OK;
}

/* The link that is not a child of a joint. */
static sal_err find_root(const sal_markup *in, const xmlNode *root, const xmlNode **out, int *n)
{
  *out = NULL;
  *n = 0;
  for (const xmlNode *j = sal_markup_first(root, "joint"); j; j = sal_markup_next(j, "joint"))
    SAL_TRY(check_joint(in, root, j));
  for (const xmlNode *l = sal_markup_first(root, "link"); l; l = sal_markup_next(l, "link")) {
    const bool top = !joint_to(root, name_of(l));
    if (top && *out)
      return sal_markup_fail(in, l, "no joint leads to link '%.60s', nor to '%.60s'", name_of(l),
                             name_of(*out));
    if (find(root, name_of(l)) != l || ++*n > MOST_LINKS)
      return sal_markup_fail(in, l, "a second link '%.60s', or more than %d", name_of(l),
                             MOST_LINKS);
    if (top) *out = l;
  }
  return *out ? SAL_OK : sal_markup_fail(in, root, "no link is the root of the others");
}

sal_err sal_urdf_read(sal_robot *robot, const xmlNode *root)
{
  const sal_markup in = {.robot = robot};
  const xmlNode *first;
  int n, seen = 0;

  SAL_TRY(sal_markup_rest(&in, root, robot_elements));
  SAL_TRY(find_root(&in, root, &first, &n));
  if (sal_markup_first(first, "inertial"))
    sal_markup_note(&in, first,
                    "link %.60s is fixed to the ground; a link without mass above it, and a joint "
                    "of type floating or planar, let it move",
                    name_of(first));
  robot->n_plane = 1;
  robot->plane[0].normal[2] = 1;
  robot->plane[0].touch = (sal_robot_touch){.bits = {1, 1}};
  SAL_TRY(descend(&in, root, first, &sal_robot_origin, -1, &seen));
  if (seen == n) return SAL_OK;
  return sal_markup_fail(&in, root, "%d of %d links are in a ring of joints", n - seen, n);
}
