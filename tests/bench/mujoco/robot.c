/** Accelerations of a robot by MuJoCo, without contacts and limits, at random states, as CSV.
 *
 *      bench_robot FILE ROWS UNDAMPED COORDINATE..
 *
 *  FILE is a robot in URDF or MJCF; UNDAMPED a joint whose damping is left out, or - ; coordinates are those of texts of
 *  bodies: BODY_x, BODY_y, BODY_theta of the plane of x and z, and BODY_X, BODY_Y, BODY_Z, BODY_e0 .. BODY_e3 in space.
 */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct {
  int body, which; /* 0 to 2: x, y, z in space; 3 to 6: e0 to e3; 7, 8, 9: x, y, theta of a plane */
} coordinate;

typedef struct {
  mjModel *m;
  mjData *d;
  mjtNum start[MOST][4]; /* orientations of bodies where joints are at 0 */
} world;

static void refuse(const char *what, const char *which)
{
  fprintf(stderr, "bench_robot: %s: %s\n", what, which);
  exit(2);
}

/* Uniform in [-1, 1), a multiple of 2^-10: Knuth's linear congruential generator. */
static double draw(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005U + 1442695040888963407U;
  return (double)(*seed >> 53) / 1024 - 1;
}

static coordinate find(const mjModel *m, const char *name)
{
  static const char *const names[] = {"X", "Y", "Z", "e0", "e1", "e2", "e3", "x", "y", "theta"};
  const char *last = strrchr(name, '_');
  char body[100];
  coordinate c = {-1, -1};

  if (!last || last - name >= (long)sizeof body) refuse("no coordinate", name);
  snprintf(body, sizeof body, "%.*s", (int)(last - name), name);
  c.body = mj_name2id(m, mjOBJ_BODY, body);
  for (int i = 0; i < 10; ++i)
    if (strcmp(last + 1, names[i]) == 0) c.which = i;
  if (c.body < 0 || c.which < 0) refuse("no coordinate", name);
  return c;
}

/* e' = w e / 2 as quaternions, and its derivative. */
static void turn(const mjtNum w[3], const mjtNum e[4], mjtNum out[4])
{
  const mjtNum half[4] = {0, w[0] / 2, w[1] / 2, w[2] / 2};

  mju_mulQuat(out, half, e);
}

/* The centre of mass of a body and of what is fixed to it: that of a text.  MuJoCo makes one body of them only where it may
 * diagonalise their inertia, to 5e-9. */
static void centre(const world *w, int body, mjtNum x[3])
{
  double mass = 0;

  mju_zero3(x);
  for (int b = 1; b < w->m->nbody; ++b) {
    if (w->m->body_weldid[b] != body) continue;
    mju_addToScl3(x, w->d->xipos + 3 * b, w->m->body_mass[b]);
    mass += w->m->body_mass[b];
  }
  mju_scl3(x, x, 1 / mass);
}

/* Velocity [3] or acceleration of x, where a point at r from it has `of`; w: angular velocity, NULL: not of rates. */
static void shift(const mjtNum spin[3], const mjtNum r[3], const mjtNum w[3], mjtNum of[3])
{
  mjtNum more[3], round[3];

  mju_cross(more, spin, r);
  mju_addTo3(of, more);
  if (!w) return;
  mju_cross(round, w, r);
  mju_cross(more, w, round);
  mju_addTo3(of, more);
}

/* Value, rate and acceleration of a coordinate: of a plane x, z and the angle from x to z. */
static void observe(const world *w, coordinate c, double out[3])
{
  mjtNum v[6], a[6], back[4], e[3][4], part[4], x[3], r[3];

  mj_objectVelocity(w->m, w->d, mjOBJ_BODY, c.body, v, 0);
  mj_objectAcceleration(w->m, w->d, mjOBJ_BODY, c.body, a, 0);
  for (int i = 0; i < 3; ++i) a[3 + i] += w->m->opt.gravity[i];
  centre(w, c.body, x);
  mju_sub3(r, x, w->d->xipos + 3 * c.body);
  shift(v, r, NULL, v + 3);
  shift(a, r, v, a + 3);
  mju_negQuat(back, w->start[c.body]);
  mju_mulQuat(e[0], w->d->xquat + 4 * c.body, back);
  if (e[0][0] < 0) mju_scl(e[0], e[0], -1, 4);
  turn(v, e[0], e[1]);
  turn(a, e[0], e[2]);
  turn(v, e[1], part);
  mju_addTo(e[2], part, 4);
  const int axis = c.which < 3 ? c.which : c.which == 8 ? 2 : 0;
  const double place[3] = {x[axis], v[3 + axis], a[3 + axis]};
  const double angle[3] = {-2 * atan2(e[0][2], e[0][0]), -v[1], -a[1]};
  for (int i = 0; i < 3; ++i)
    out[i] = c.which == 9 ? angle[i] : c.which >= 3 && c.which < 7 ? e[i][c.which - 3] : place[i];
}

/* Joints in the middle half of their ranges, or within half a radian, half a metre: where the coordinates of a text are good. */
static void place(world *w, uint64_t *seed)
{
  const mjModel *m = w->m;

  for (int j = 0; j < m->njnt; ++j) {
    const double u = draw(seed), *range = m->jnt_range + 2 * j;
    const double half = m->jnt_limited[j] ? (range[1] - range[0]) / 4 : 0.5;
    const double middle = m->jnt_limited[j] ? (range[1] + range[0]) / 2 : 0;
    w->d->qpos[m->jnt_qposadr[j]] = m->qpos0[m->jnt_qposadr[j]] + middle + u * half;
  }
  for (int i = 0; i < m->nv; ++i) w->d->qvel[i] = 3 * draw(seed);
  mj_forward(m, w->d);
  mj_rnePostConstraint(m, w->d);
}

int main(int argc, char **argv)
{
  char message[1000] = "";
  uint64_t seed = 1;
  world w;
  coordinate c[MOST];

  if (argc < 5 || argc - 4 > MOST) refuse("usage", "FILE ROWS UNDAMPED COORDINATE..");
  w.m = mj_loadXML(argv[1], NULL, message, sizeof message);
  if (!w.m || w.m->nbody > MOST) refuse(argv[1], message);
  w.m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
  const int undamped = mj_name2id(w.m, mjOBJ_JOINT, argv[3]);
  if (undamped >= 0) w.m->dof_damping[w.m->jnt_dofadr[undamped]] = 0;
  w.d = mj_makeData(w.m);
  mj_forward(w.m, w.d);
  memcpy(w.start, w.d->xquat, (size_t)w.m->nbody * sizeof *w.start);
  for (int k = 0; k < argc - 4; ++k) {
    c[k] = find(w.m, argv[4 + k]);
    printf("%s%s", k ? "," : "", argv[4 + k]);
  }
  printf("\n");
  for (int row = 0; row < atoi(argv[2]); ++row) {
    place(&w, &seed);
    for (int k = 0; k < argc - 4; ++k) {
      double of[3];
      observe(&w, c[k], of);
      printf("%s%.17g,%.17g,%.17g", k ? "," : "", of[0], of[1], of[2]);
    }
    printf("\n");
  }
  mj_deleteData(w.d);
  mj_deleteModel(w.m);
  return 0;
}
