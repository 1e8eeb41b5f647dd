/** Frames and vectors in space. */
#include "robot.h"
#include "scalar_math.h"
#include <math.h>
#include <string.h>

const sal_robot_pose sal_robot_origin = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

double sal_robot_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void sal_robot_cross(const double a[3], const double b[3], double x[3])
{
  for (int i = 0; i < 3; ++i)
    x[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

bool sal_robot_unit(double x[3])
{
  const double length = sqrt(sal_robot_dot(x, x));

  for (int i = 0; i < 3; ++i) x[i] /= length;
  return length > 0 && isfinite(length);
}

void sal_robot_turn(const sal_robot_pose *pose, const double s[3], double x[3])
{
  for (int i = 0; i < 3; ++i) x[i] = sal_robot_dot(pose->R[i], s);
}

void sal_robot_point(const sal_robot_pose *pose, const double s[3], double x[3])
{
  sal_robot_turn(pose, s, x);
  for (int i = 0; i < 3; ++i) x[i] += pose->p[i];
}

static void multiply(double A[3][3], double B[3][3], double C[3][3])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
}

sal_robot_pose sal_robot_pose_in(const sal_robot_pose *outer, const sal_robot_pose *inner)
{
  sal_robot_pose o = *outer, i = *inner, both;

  multiply(o.R, i.R, both.R);
  sal_robot_point(&o, i.p, both.p);
  return both;
}

void sal_robot_euler(const int axis[3], const double angle[3], double R[3][3])
{
  double turned[3][3];

  memcpy(R, sal_robot_origin.R, sizeof sal_robot_origin.R);
  for (int k = 0; k < 3; ++k) {
    double T[3][3] = {{0}}, sine, cosine;
    const int i = axis[k], j = (i + 1) % 3, l = (i + 2) % 3;
    sal_scalar_sincos(angle[k], &sine, &cosine);
    T[i][i] = 1;
    T[j][j] = T[l][l] = cosine;
    T[l][j] = sine;
    T[j][l] = -sine;
    multiply(R, T, turned);
    memcpy(R, turned, sizeof turned);
  }
}

void sal_robot_quaternion(const double q[4], double R[3][3])
{
  const double square = q[0] * q[0] + sal_robot_dot(q + 1, q + 1), f = 2 / square;

  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    R[i][i] = 1 - f * (q[1 + j] * q[1 + j] + q[1 + l] * q[1 + l]);
    R[i][j] = f * (q[1 + i] * q[1 + j] - q[0] * q[1 + l]);
    R[i][l] = f * (q[1 + i] * q[1 + l] + q[0] * q[1 + j]);
  }
}
