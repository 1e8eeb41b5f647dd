/** Parts of a robot, which a reader adds. */
#include "robot.h"
#include "base.h"
#include <ctype.h>
#include <stdarg.h>

enum { SENTENCE = 400 };

sal_err sal_robot_fail(const sal_robot *robot, long line, const char *format, ...)
{
  char text[SENTENCE];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sal_fail(SAL_ERR_INPUT, "%s:%ld: %s", robot->path, line, text);
}

void sal_robot_note(sal_robot *robot, long line, const char *format, ...)
{
  char text[SENTENCE];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (char *c = text; *c; ++c)
    if (iscntrl((unsigned char)*c)) *c = ' ';
  sal_text_add(&robot->notes, "%s:%ld: %s\n", robot->path, line, text);
}

static bool is_taken(const sal_robot *robot, const char *name)
{
  if (strcmp(name, "ground") == 0) return true;
  for (int b = 0; b < robot->n_body; ++b) {
    if (strcmp(robot->body[b].name, name) == 0) return true;
    for (int j = 0; j < robot->body[b].n_joint; ++j)
      if (strcmp(robot->body[b].joint[j].name, name) == 0) return true;
  }
  for (int k = 0; k < robot->n_foot; ++k)
    if (strcmp(robot->foot[k].name, name) == 0) return true;
  return false;
}

void sal_robot_name(sal_robot *robot, const char *given, const char *kind,
                    char name[SAL_ROBOT_NAME])
{
  char base[18]; /* names of a text have 31 bytes: "BASE_256_off_least" */

  snprintf(base, sizeof base, "%s", given && given[0] ? given : kind);
  for (char *c = base; *c; ++c)
    if (!isalnum((unsigned char)*c) && *c != '-') *c = '_';
  if (!isalpha((unsigned char)base[0])) base[0] = 'n';
  snprintf(name, SAL_ROBOT_NAME, "%s", base);
  for (int i = 2; is_taken(robot, name); ++i) snprintf(name, SAL_ROBOT_NAME, "%s_%d", base, i);
}

sal_err sal_robot_add_body(sal_robot *robot, long line, const char *name, int parent, int *body)
{
  if (robot->n_body == SAL_ROBOT_MOST)
    return sal_robot_fail(robot, line, "more than %d bodies move; allowed: 1 to %d", SAL_ROBOT_MOST,
                          SAL_ROBOT_MOST);
  *body = robot->n_body;
  sal_robot_name(robot, name, "body", robot->body[*body].name);
  robot->body[*body].line = line;
  robot->body[*body].parent = parent;
  ++robot->n_body;
  return SAL_OK;
}

sal_err sal_robot_add_foot(sal_robot *robot, long line, const char *name, int body,
                           const sal_robot_foot *foot)
{
  if (foot->touch.mu < 0)
    return sal_robot_fail(robot, line, "friction: %g; allowed: from 0", foot->touch.mu);
  if (body < 0) return SAL_OK;
  if (robot->n_foot == SAL_ROBOT_MOST)
    return sal_robot_fail(robot, line,
                          "more than %d spheres may touch the ground; allowed: 0 to %d",
                          SAL_ROBOT_MOST, SAL_ROBOT_MOST);
  sal_robot_foot *f = &robot->foot[robot->n_foot];
  *f = *foot;
  f->body = body;
  sal_robot_name(robot, name, "foot", f->name);
  ++robot->n_foot;
  return SAL_OK;
}

/* I += mass (d . d - d d'), Steiner's share of a point at d. */
static void shift(double I[3][3], double mass, const double d[3])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      I[i][j] += mass * ((i == j ? sal_robot_dot(d, d) : 0) - d[i] * d[j]);
}

void sal_robot_add_mass(sal_robot *robot, int body, double mass, const sal_robot_pose *pose,
                        const double inertia[6])
{
  static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  if (body < 0 || !(mass > 0)) return;
  sal_robot_body *b = &robot->body[body];
  const double all = b->mass + mass;
  double old[3], added[3];

  for (int i = 0; i < 3; ++i) {
    const double centre = (b->mass * b->at[i] + mass * pose->p[i]) / all;
    old[i] = b->at[i] - centre;
    added[i] = pose->p[i] - centre;
    b->at[i] = centre;
  }
  shift(b->inertia, b->mass, old);
  shift(b->inertia, mass, added);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          b->inertia[i][j] += pose->R[i][k] * inertia[place[k][l]] * pose->R[j][l];
  b->mass = all;
}

/* Two slides and a hinge about their normal, in any order, are a motion in a plane. */
static bool join_plane(sal_robot_body *b)
{
  const sal_robot_joint *hinge = NULL, *slide[2] = {NULL};
  int n = 0;
  double normal[3], cross[3];

  for (int j = 0; j < b->n_joint; ++j) {
    if (b->joint[j].kind == SAL_ROBOT_HINGE) hinge = &b->joint[j];
    if (b->joint[j].kind == SAL_ROBOT_SLIDE && n < 2) slide[n++] = &b->joint[j];
  }
  if (b->n_joint != 3 || !hinge || n < 2) return false;
  sal_robot_cross(slide[0]->axis, slide[1]->axis, normal);
  sal_robot_cross(normal, hinge->axis, cross);
  if (sal_robot_dot(cross, cross) > 1e-20 || sal_robot_dot(normal, normal) < 1e-6) return false;
  b->joint[0] = *hinge;
  b->joint[0].kind = SAL_ROBOT_PLANE;
  b->n_joint = 1;
  return true;
}

static sal_err check_body(sal_robot *robot, sal_robot_body *b)
{
  bool loose = false;

  for (int j = 0; j < b->n_joint; ++j)
    if (b->joint[j].damping < 0 || b->joint[j].stiffness < 0)
      return sal_robot_fail(robot, b->line, "joint '%s': damping %g, stiffness %g; allowed: from 0",
                            b->joint[j].name, b->joint[j].damping, b->joint[j].stiffness);
  for (int j = 0; j < b->n_joint; ++j)
    loose |= (b->n_joint > 1 || b->joint[j].kind > SAL_ROBOT_SLIDE) &&
             (b->joint[j].damping > 0 || b->joint[j].stiffness > 0 || b->joint[j].limited);
  if (b->n_joint > 1 && !join_plane(b))
    return sal_robot_fail(
        robot, b->line,
        "body '%s' has %d joints; allowed: one, or two slides and a hinge about their "
        "normal; give it bodies between them, with masses",
        b->name, b->n_joint);
  if (loose)
    sal_robot_note(robot, b->line, "'%s': left out: damping, stiffness and limits of its joint",
                   b->name);
  const sal_robot_joint_kind kind = b->joint[0].kind;
  if ((kind == SAL_ROBOT_FREE || kind == SAL_ROBOT_PLANE) && b->parent >= 0)
    return sal_robot_fail(robot, b->line, "'%s' floats from another body; allowed: from the ground",
                          b->name);
  if (!(b->mass > 0))
    return sal_robot_fail(
        robot, b->line,
        "body '%s' moves and has mass %g; allowed: greater than 0, of its own or of "
        "what is fixed to it",
        b->name, b->mass);
  return SAL_OK;
}

sal_err sal_robot_check(sal_robot *robot)
{
  if (robot->n_body == 0)
    return sal_robot_fail(robot, 1, "nothing moves: joints that are not fixed are expected");
  for (int b = 0; b < robot->n_body; ++b) SAL_TRY(check_body(robot, &robot->body[b]));
  return SAL_OK;
}
