/** Physical runs: each model is run in units of its own and scaled back, and beside it a dimensional system, written
 *  down here from its source, goes by the classical Runge-Kutta method from event to event.
 */
#include "hybrid.h"
#include "kernels/run_one.h"
#include "measure.h"
#include "memory.h"
#include "parameter_column.h"
#include "physical.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

static const double g = 9.81;

static void monopod(double t, const double y[], int mode, double dy[])
{
  const double m1 = 0.5, m2 = 10, k = 5000, l0 = 0.4, kg = 2e5, bg = 1e5;
  const double leg = k * (y[2] - y[0] - l0), depth = y[0] < 0 ? -y[0] : 0;

  (void)t, (void)mode;
  dy[0] = y[1];
  dy[1] = (leg + depth * sqrt(depth) * (kg - bg * y[1])) / m1 - g;
  dy[2] = y[3];
  dy[3] = -leg / m2 - g;
}

/* Point mass on a leg that is a spring in stance; y: x, y, vx, vy, foothold. */
static const double runner_length = 0.9, runner_angle = 68 * M_PI / 180;
static void runner(double t, const double y[], int mode, double dy[])
{
  const double m = 60, k = 15000, ahead = y[0] - y[4], l = hypot(ahead, y[1]);
  const double push = mode ? k * (runner_length - l) / (m * l) : 0;

  (void)t;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = push * ahead;
  dy[3] = push * y[1] - g;
  dy[4] = 0;
}
static double runner_gap(double t, const double y[], int mode)
{
  (void)t;
  return mode ? runner_length - hypot(y[0] - y[4], y[1])
              : y[1] - runner_length * sin(runner_angle) + (y[3] > 0 ? 9 : 0);
}
static int runner_jump(double t, double y[], int mode)
{
  (void)t;
  if (!mode) y[4] = y[0] + runner_length * cos(runner_angle);
  return !mode;
}

static void between_walls(double t, const double y[], int mode, double dy[])
{
  const double m = 2, k = 800, c = 4, F = 20, f = 18;

  (void)mode;
  dy[0] = y[1];
  dy[1] = (F * cos(f * t) - c * y[1] - k * y[0]) / m;
}
static double wall_gap(double t, const double y[], int mode)
{
  (void)t, (void)mode;
  return y[0] * y[1] > 0 ? 0.01 - fabs(y[0]) : 1;
}
static int wall_jump(double t, double y[], int mode)
{
  (void)t;
  y[1] *= -0.5;
  return mode;
}

static void on_spring(double t, const double y[], int mode, double dy[])
{
  const double m = 3, k = 9000, d = 20;

  (void)t;
  dy[0] = y[1];
  dy[1] = -g - (mode ? (k * y[0] + d * y[1]) / m : 0);
}
static double spring_gap(double t, const double y[], int mode)
{
  (void)t;
  return mode ? -y[0] : y[0];
}
static int other_mode(double t, double y[], int mode)
{
  (void)t, (void)y;
  return !mode;
}

static void flight(double t, const double y[], int mode, double dy[])
{
  const double m = 60, k = 2e4, l0 = 0.9;

  (void)t;
  dy[0] = y[1];
  dy[1] = -g + (mode ? k * (l0 - y[0]) / m : 0);
}
static double flight_gap(double t, const double y[], int mode)
{
  (void)t;
  return mode ? 0.9 - y[0] : y[0] - 0.9;
}

static void fall(double t, const double y[], int mode, double dy[])
{
  (void)t, (void)mode;
  dy[0] = y[1];
  dy[1] = -g;
}
static double floor_gap(double t, const double y[], int mode)
{
  (void)t, (void)mode;
  return y[1] < 0 ? y[0] : 1;
}
static int floor_jump(double t, double y[], int mode)
{
  (void)t;
  y[1] *= -0.8;
  return mode;
}

static const double table_a = 0.02, table_w = 25;
static double table_gap(double t, const double y[], int mode)
{
  (void)mode;
  const double meets = y[1] - table_a * table_w * cos(table_w * t);
  return meets < 0 ? y[0] - table_a * sin(table_w * t) : 1;
}
static int table_jump(double t, double y[], int mode)
{
  const double v = table_a * table_w * cos(table_w * t);

  y[1] = v - 0.5 * (y[1] - v);
  return mode;
}

/* Slips backwards, and sticks. */
static void belt(double t, const double y[], int mode, double dy[])
{
  const double m = 2, c = 3, k = 300, fk = 9;

  (void)t;
  dy[0] = y[1];
  dy[1] = mode ? 0 : (fk - k * y[0] - c * y[1]) / m;
}
static double belt_gap(double t, const double y[], int mode)
{
  (void)t;
  return mode ? 15 - (300 * y[0] + 3 * 0.2) : 0.2 - y[1] + 1e-12;
}
static int belt_jump(double t, double y[], int mode)
{
  (void)t;
  y[1] = 0.2 - (mode ? 1e-10 : 0);
  return !mode;
}

/* y: zU, zL, vU, vL. */
static const double leg_m = 40, leg_mu = 0.8, leg_k = 12000, leg_dF = 100, leg_dG = -50;
static void leg(double t, const double y[], int mode, double dy[])
{
  const double e = y[0] - y[1] - 0.8, mU = leg_mu * leg_m, mL = leg_m - mU;
  const double force = leg_k * e + (mode ? leg_dG * y[2] : leg_dF * (y[2] - y[3]));

  (void)t;
  dy[0] = y[2];
  dy[1] = mode ? 0 : y[3];
  dy[2] = -force / mU - g;
  dy[3] = mode ? 0 : force / mL - g;
}
static double leg_gap(double t, const double y[], int mode)
{
  (void)t;
  if (!mode) return y[3] < 0 ? y[1] : 1;
  return (1 - leg_mu) * leg_m * g - (leg_k * (y[0] - 0.8) + leg_dG * y[2]);
}
static int leg_jump(double t, double y[], int mode)
{
  (void)t;
  y[1] = y[3] = 0;
  return !mode;
}

/* Three springs below a plate, whose contacts are the bits of the mode; y: x, z, th, vx, vz, w. */
static double plate_gap_of(const double y[], int i)
{
  return y[1] - 0.3 - tan(y[2]) * (y[0] - (i - 1) * 0.25);
}
static double plate_gap(double t, const double y[], int mode)
{
  double least = 1;

  (void)t;
  for (int i = 0; i < 3; ++i)
    least = fmin(least, mode >> i & 1 ? -plate_gap_of(y, i) : plate_gap_of(y, i));
  return least;
}
static int plate_jump(double t, double y[], int mode)
{
  (void)t;
  for (int i = 0; i < 3; ++i)
    if ((mode >> i & 1 ? -plate_gap_of(y, i) : plate_gap_of(y, i)) < 0) mode ^= 1 << i;
  return mode;
}
static void plate(double t, const double y[], int mode, double dy[])
{
  const double m = 5, I = 0.4, k = 3000 / 3.0, c = 60 / 3.0, tangent = tan(y[2]);
  const double secant2 = 1 + tangent * tangent;
  double sum = 0, moment = 0;

  (void)t;
  for (int i = 0; i < 3; ++i) {
    const double d = y[0] - (i - 1) * 0.25, h = -plate_gap_of(y, i);
    const double rate = secant2 * y[5] * d + tangent * y[3] - y[4];
    if (!(mode >> i & 1)) continue;
    sum += k * h + c * rate;
    moment += (k * h + c * rate) * d;
  }
  for (int i = 0; i < 3; ++i) dy[i] = y[3 + i];
  dy[3] = -sum * tangent / m;
  dy[4] = sum / m - g;
  dy[5] = -moment * secant2 / I;
}

static void decay(double t, const double y[], int mode, double dy[])
{
  (void)t, (void)mode;
  dy[0] = -7 * y[0];
}

static const struct {
  const char *model, *physical, *initial, *param;
  double t_end;
  hybrid system;
  double start[N];
  int events; /* at least */
} systems[] = {
    {"monopod",
     "m1=500g,m2=10kg,k=5kN/m,l0=40cm,kg=2e5N/m^1.5,bg=1e5N*s/m^2.5",
     "y1=10cm,v1=0,y2=0.55m,v2=-20cm/s",
     NULL,
     0.6,
     {4, monopod, NULL, NULL},
     {0.1, 0, 0.55, -0.2},
     0},
    {"slip",
     "m=60kg,k=15kN/m,l0=90cm",
     "y=0.9m,vx=4.5m/s,vy=0",
     NULL,
     0.55,
     {5, runner, runner_gap, runner_jump},
     {0, 0.9, 4.5, 0, 0},
     2},
    {"vibro-impact",
     "m=2kg,k=800N/m,c=4N*s/m,F=20N,f=18rad/s,d=10mm",
     "x=2mm,v=5cm/s",
     NULL,
     1,
     {2, between_walls, wall_gap, wall_jump},
     {0.002, 0.05},
     3},
    {"linear-ground",
     "m=3kg,k=9kN/m,d=20N*s/m",
     "y=0.2m",
     NULL,
     1,
     {2, on_spring, spring_gap, other_mode},
     {0.2, 0},
     0},
    {"hopper1d",
     "m=60kg,k=20kN/m,l0=90cm",
     "z=1.1m",
     NULL,
     1,
     {2, flight, flight_gap, other_mode},
     {1.1, 0},
     0},
    {"bouncing-ball",
     "g=9.81m/s^2,e=0.8",
     "y=70cm,v=1m/s",
     NULL,
     2,
     {2, fall, floor_gap, floor_jump},
     {0.7, 1},
     3},
    {"shaking-table",
     "a=2cm,w=25rad/s",
     "y=0.3m",
     NULL,
     0.6,
     {2, fall, table_gap, table_jump},
     {0.3, 0},
     1},
    {"stick-slip",
     "m=2kg,k=300N/m,c=3N*s/m,vb=20cm/s,fs=15N,fk=9N",
     "x=0,v=0",
     NULL,
     1.2,
     {2, belt, belt_gap, belt_jump},
     {0, 0},
     2},
    {"hopping-leg",
     "m=40kg,mu=0.8,k=12kN/m,dF=100N*s/m,dG=-50N*s/m,L0=80cm",
     "zU=0.85,zL=5cm,vU=0,vL=0",
     NULL,
     0.45,
     {4, leg, leg_gap, leg_jump},
     {0.85, 0.05, 0, 0},
     2},
    {"plate",
     "n=3,K=3kN/m,C=60N*s/m,m=5kg,inertia=0.4kg*m^2,width=50cm,length=60cm,l0=300mm",
     "x=0,z=0.4m,th=3deg",
     NULL,
     0.7,
     {6, plate, plate_gap, plate_jump},
     {0, 0.4, 3 * M_PI / 180, 0, 0, 0},
     0},
    {"decay", "lambda=7 1/s", "y=2", NULL, 0.4, {1, decay, NULL, NULL}, {2}, 0},
};
enum { N_CASE = sizeof systems / sizeof *systems };

/* The end of case i by the program: in units of the run, and scaled back. */
static bool run_case(int i, double own[], double si[])
{
  sal_setup setup = config(systems[i].model, "dop853", "event", 1e-12, 1);
  const sal_model *m = setup.model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE], state[2 * SAL_MAX_STATE];
  SAL_OWN sal_measure *measure = sal_alloc(1, sizeof *measure);

  sal_parameter_presets(m, param, initial);
  sal_measure_begin(measure, m);
  if (!m->physical && sal_measure_initial("start", systems[i].initial, measure, initial) != SAL_OK)
    return false;
  if (sal_physical_parse("real", m, systems[i].physical, param, initial, measure) != SAL_OK ||
      (m->physical && sal_measure_initial("start", systems[i].initial, measure, initial) != SAL_OK))
    return false;
  setup.t_end = systems[i].t_end / measure->scales.second;
  setup.n_guard = sal_model_guards(m, param);
  sal_samples mesh = {.n_mesh = 1, .state = state};
  const sal_record r = run_one(&setup, param, initial, &mesh, NULL);
  memcpy(own, state + m->n_state, (size_t)systems[i].system.n * sizeof *own);
  sal_measure_states(measure, 1, NULL, state + m->n_state);
  memcpy(si, state + m->n_state, (size_t)systems[i].system.n * sizeof *si);
  return outcome(&r) == SAL_OUT_DONE;
}

static void scaled_back_they_are_the_dimensional_systems(void)
{
  for (int i = 0; i < N_CASE; ++i) {
    double own[N], si[N], y[N], worst = 0, identity = 0;
    memcpy(y, systems[i].start, sizeof y);
    const bool runs = run_case(i, own, si);
    CU_ASSERT(runs);
    if (!runs) {
      fprintf(stderr, "%s: %s\n", systems[i].model, sal_err_message());
      sal_err_clear();
      continue;
    }
    const int events = follow(&systems[i].system, systems[i].t_end, 2e-5, y);
    if (events < systems[i].events) fprintf(stderr, "%s: %d events\n", systems[i].model, events);
    CU_ASSERT(events >= systems[i].events);
    for (int k = 0; k < systems[i].system.n; ++k) {
      worst = fmax(worst, fabs(si[k] - y[k]));
      identity = fmax(identity, fabs(own[k] - y[k]));
    }
    if (!(worst < 1e-8)) fprintf(stderr, "%s: off by %.3g\n", systems[i].model, worst);
    CU_ASSERT(worst < 1e-8);
    /* without scales it would be wrong: by less for decay, whose state has no unit */
    CU_ASSERT(identity > 1e-3 || strcmp(systems[i].model, "decay") == 0);
  }
}

/* A natural unit makes the value 1, and every model that can take quantities is above. */
static void natural_units_make_ones(void)
{
  int models = 0;

  for (const sal_model *const *m = sal_registry_models; *m; ++m) {
    double value[SAL_MAX_QUANTITY], wanted[SAL_MAX_QUANTITY];
    bool tried = false;
    SAL_OWN sal_measure *measure = sal_alloc(1, sizeof *measure);
    for (int i = 0; i < N_CASE; ++i) tried |= strcmp(systems[i].model, (*m)->name) == 0;
    CU_ASSERT_EQUAL(tried, sal_physical_takes(*m));
    if (!sal_natural_has(*m)) continue;
    ++models;
    sal_parameter_presets(*m, value, value + (*m)->n_param + (*m)->n_option);
    for (int k = 0; k < sal_parameter_column_count(*m); ++k) value[k] = 2 + 0.3 * k;
    sal_natural_wanted(*m, wanted);
    sal_measure_begin(measure, *m);
    sal_physical_scale(wanted, value, measure);
    CU_ASSERT((*m)->natural.source && (*m)->natural.of[0]);
    for (int k = 0; k < sal_parameter_column_count(*m); ++k)
      CU_ASSERT(isnan(wanted[k]) || value[k] == 1);
    CU_ASSERT(fabs(measure->scales.second - 1) > 1e-3);
  }
  CU_ASSERT(models >= 7);
}

SAL_TEST_MAIN("similar systems", NULL,
              {"scaled back they are the dimensional systems",
               scaled_back_they_are_the_dimensional_systems},
              {"natural units make ones", natural_units_make_ones})
