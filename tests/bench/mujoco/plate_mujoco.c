/** The same plate and hopper in MuJoCo, through its C API.
 *
 *      bench_mujoco plate|hopper variant=V integrator=Euler|RK4|implicit foot=SHARE xml=0|1 ...
 *
 *  xml=1 prints the model and runs nothing.  Loading is not timed.
 */
#include "clock.h"
#include "mjcf.h"
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <unistd.h>

static world here; /* for the callback, which MuJoCo hands no context */

/* MuJoCo reads models from files. */
static mjModel *load(void)
{
  char path[] = P_tmpdir "/bench_mujoco.XXXXXX.xml", message[1000] = "";
  const int fd = mkstemps(path, 4);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

  if (!file) task_refuse("cannot write %s", path);
  mjcf_write(&here, file);
  const bool written = fclose(file) == 0;
  mjModel *m = written ? mj_loadXML(path, NULL, message, sizeof message) : NULL;
  unlink(path);
  if (!m) task_refuse("MuJoCo refuses the model: %s", message);
  return m;
}

static void make_springs(mjtNum *solref, int n, double stiffness, double damping)
{
  for (; n > 0; --n, solref += mjNREF) {
    solref[0] = -stiffness;
    solref[1] = -damping;
  }
}

/* A soft contact pushes with f = (a_ref - a_0) / (A + R), a_ref = -(B/d) v - (K/d) r for solref
 * (-K, -B) and impedance d, R = (1-d)/d w >> A with w the sum of the bodies' inverse weights (of
 * them only body 1 can move): that is our spring where K = (1-d) k w, and B likewise. */
static void soften(mjModel *m)
{
  const mjtNum *body = m->body_invweight0 + 2;
  const double scale = (1 - 1e-4) * body[0] / here.task->n;
  const double k = here.task->stiffness * scale, c = here.task->damping * scale;

  make_springs(m->geom_solref, m->ngeom, k, c);
  make_springs(m->pair_solref, m->npair, k, c);
}

static void push_hopper(const mjModel *m, mjData *d)
{
  const double h = BED_HEIGHT - d->qpos[0];

  (void)m;
  if (h >= 0) d->qfrc_passive[0] += here.task->stiffness * h;
}

/* Anderson & Revzen, section 5.2, as in kernels/models/plate.c. */
static void push_plate(const mjModel *m, mjData *d)
{
  const int n = here.task->n;
  const double k = here.task->stiffness / n, c = here.task->damping / n;
  const double tangent = tan(d->qpos[2]), secant2 = 1 + tangent * tangent, x = d->qpos[0];
  const double sunk = BED_HEIGHT - d->qpos[1] + tangent * x;
  const double sinking = -d->qvel[1] + tangent * d->qvel[0] + secant2 * d->qvel[2] * x;
  const double pitch = n > 1 ? BED_WIDTH / (n - 1) : 0;
  double force = 0, moment = 0;

  (void)m;
  for (int i = 0; i < n; ++i) {
    const double xs = n > 1 ? pitch * i - BED_WIDTH / 2 : 0, h = sunk - tangent * xs;
    const double f = h >= 0 ? k * h + c * (sinking - secant2 * d->qvel[2] * xs) : 0;
    force += f;
    moment += f * (xs - x);
  }
  d->qfrc_passive[0] -= force * tangent;
  d->qfrc_passive[1] += force;
  d->qfrc_passive[2] += secant2 * moment;
}

static void begin(const mjModel *m, mjData *d, const double q[3])
{
  mj_resetData(m, d);
  for (int i = 0; i < (here.task->hopper ? 1 : 3); ++i) d->qpos[i] = q[i];
}

/* The shortest of the timed runs; d is left at the end of the last one. */
static double best_time(const mjModel *m, mjData *d, const double q[3])
{
  const long n = lround(here.task->t_end / here.task->dt);
  double best = INFINITY;

  for (int rep = 0; rep < here.task->reps; ++rep) {
    begin(m, d, q);
    const double began = sal_clock_cpu();
    for (long i = 0; i < n; ++i) mj_step(m, d);
    best = fmin(best, sal_clock_cpu() - began);
  }
  return best;
}

static int warnings(const mjData *d)
{
  int n = 0;

  for (int i = 0; i < mjNWARNING; ++i) n += d->warning[i].number;
  return n;
}

static void plate(const mjModel *m, mjData *d)
{
  task_plate_header();
  for (int i = 0; i < here.task->n_start; ++i) {
    const task_start *s = &here.task->start[i];
    const double q[3] = {0, s->z, s->th}, cpu = best_time(m, d, q);
    task_plate_line(
        s->id, cpu, warnings(d),
        (double[]){d->qpos[0], d->qpos[1], d->qpos[2], d->qvel[0], d->qvel[1], d->qvel[2]});
  }
}

static void hopper(const mjModel *m, mjData *d)
{
  const double q[3] = {2, 0, 0}, cpu = best_time(m, d, q);
  const long n = lround(here.task->t_end / here.task->dt);

  task_hopper_header(cpu, warnings(d));
  begin(m, d, q);
  for (long i = 0; i < n; ++i) {
    mj_step(m, d);
    printf("%.17g\n", d->qpos[0]);
  }
}

static int run(void)
{
  mjModel *m = load();
  mjData *d = mj_makeData(m);

  if (here.variant->kind == CONTACT_SOFT) soften(m);
  if (here.variant->kind == CONTACT_NONE)
    mjcb_passive = here.task->hopper ? push_hopper : push_plate;
  if (here.task->hopper)
    hopper(m, d);
  else
    plate(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

int main(int argc, char *argv[])
{
  static task given;
  const char *name = "soft";
  int xml = 0;
  const task_key own[] = {
      {"variant", TASK_WORD, &name},   {"integrator", TASK_WORD, &here.integrator},
      {"foot", TASK_REAL, &here.foot}, {"xml", TASK_WHOLE, &xml},
      {NULL, TASK_WORD, NULL},
  };

  here.integrator = "Euler";
  here.foot = 0.01;
  task_read(argc, argv, own, &given);
  here.task = &given;
  here.variant = variant_named(name);
  if (!here.variant) task_refuse("no variant is called %s", name);
  if (here.variant->kind == CONTACT_LEG && !given.hopper) task_refuse("leg: hopper only");
  if (!xml) return run();
  mjcf_write(&here, stdout);
  return 0;
}
