/** A robot between its description in XML and a text of bodies: what moves, joints, and where it touches.
 *
 *  All is in world coordinates at the zero position of the joints, in SI units; bodies have frames parallel to
 *  the world there.  Parts without a joint between them are one body.
 */
#pragma once

#include "text.h"
#include <stdint.h>

enum { SAL_ROBOT_NAME = 48, SAL_ROBOT_MOST = 256, SAL_ROBOT_JOINTS = 6, SAL_ROBOT_PLANES = 4 };

/** Where a frame is: columns of R are its axes. */
typedef struct {
  double R[3][3], p[3];
} sal_robot_pose;

extern const sal_robot_pose sal_robot_origin;
/** The pose of a frame that is `inner` in `outer`; a point, a direction of the frame in the world. */
sal_robot_pose sal_robot_pose_in(const sal_robot_pose *outer, const sal_robot_pose *inner);
void sal_robot_point(const sal_robot_pose *pose, const double s[3], double x[3]);
void sal_robot_turn(const sal_robot_pose *pose, const double s[3], double x[3]);
/** Turns about the axes 0, 1, 2 of the turned frame, one after the other. */
void sal_robot_euler(const int axis[3], const double angle[3], double R[3][3]);
/** A quaternion (w, x, y, z), not 0. */
void sal_robot_quaternion(const double q[4], double R[3][3]);
/** x of length 1; false: it has none. */
bool sal_robot_unit(double x[3]);
double sal_robot_dot(const double a[3], const double b[3]);
void sal_robot_cross(const double a[3], const double b[3], double x[3]);

typedef enum {
  SAL_ROBOT_HINGE,
  SAL_ROBOT_SLIDE,
  SAL_ROBOT_BALL,
  SAL_ROBOT_FREE,
  SAL_ROBOT_PLANE
} sal_robot_joint_kind;

typedef struct {
  sal_robot_joint_kind kind;
  char name[SAL_ROBOT_NAME];
  double axis[3], at[3];
  double damping, stiffness, rest;
  bool limited;
  double lo, hi;
} sal_robot_joint;

/** A body that moves; inertia about `at`, its centre of mass. */
typedef struct {
  char name[SAL_ROBOT_NAME];
  long line;
  int parent; /* -1: the ground */
  double mass, at[3], inertia[3][3];
  int n_joint;
  sal_robot_joint joint[SAL_ROBOT_JOINTS];
} sal_robot_body;

/** How two shapes touch, if they do: one has a bit of the first word that the other has in the second. */
typedef struct {
  double mu;
  uint32_t bits[2];
  bool slick; /* without friction, where the other is, too */
} sal_robot_touch;

/** A sphere that may touch the ground. */
typedef struct {
  char name[SAL_ROBOT_NAME];
  int body;
  double at[3], radius;
  sal_robot_touch touch;
} sal_robot_foot;

typedef struct {
  const char *path;
  char name[SAL_ROBOT_NAME];
  double gravity[3];
  int n_body, n_foot, n_plane;
  sal_robot_body body[SAL_ROBOT_MOST];
  sal_robot_foot foot[SAL_ROBOT_MOST];
  struct {
    double at[3], normal[3];
    sal_robot_touch touch;
  } plane[SAL_ROBOT_PLANES];
  sal_text notes; /* lines, each with its end */
} sal_robot;

/** Fails with "FILE:LINE: MESSAGE". */
sal_err sal_robot_fail(const sal_robot *robot, long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** A line about what the text will not have. */
void sal_robot_note(sal_robot *robot, long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** A name of letters, digits, - and _, that no body, or no foot, has yet; `given` may be NULL. */
void sal_robot_name(sal_robot *robot, const char *given, const char *kind,
                    char name[SAL_ROBOT_NAME]);
/** The next body, foot. */
sal_err sal_robot_add_body(sal_robot *robot, long line, const char *name, int parent, int *body);
sal_err sal_robot_add_foot(sal_robot *robot, long line, const char *name, int body,
                           const sal_robot_foot *foot);
/** Adds a mass at the origin of `pose`, with its inertia about it there: xx, yy, zz, xy, xz, yz; body -1: nothing. */
void sal_robot_add_mass(sal_robot *robot, int body, double mass, const sal_robot_pose *pose,
                        const double inertia[6]);
/** Fails where a body has no mass, or joints that no text has. */
sal_err sal_robot_check(sal_robot *robot);

/** Adds the text of bodies to *out. */
sal_err sal_robot_write(sal_robot *robot, sal_text *out);
