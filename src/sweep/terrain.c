/** The table of grounds. */
#include "base.h"
#include "physical.h"
#include "scalar_math.h"

#define SIMBODY "Simbody, Simbody/tests/adhoc/ContactTest.cpp: assumed there, not measured"

const sal_terrain sal_terrains[] = {
    {"concrete", "plain concrete, strength class C25/30", 31e9, 0.2,
     "EN 1992-1-1:2004, Table 3.1 and 3.1.3(4): secant modulus of cylinders in compression", 0.005,
     SIMBODY, 0.82, 6.26,
     "FIFA's test of football turf: its ball rises to 1.35 m after a fall of 2 m on concrete"},
    {"steel", "mild steel", 200e9, 0.3, SIMBODY, 0.001, SIMBODY, NAN, NAN, NULL},
    {"rubber", "solid rubber", 10e6, 0.5, SIMBODY, 0.005, SIMBODY, NAN, NAN, NULL},
    {"wood", "Douglas fir at 12 % moisture, pressed across the grain", 0.91e9, 0.39,
     "Wood Handbook, FPL-GTR-190 (2010), Tables 5-1, 5-2, 5-3a: E_R = 0.068 E_L, E_L = 13.4 GPa, "
     "nu_RT",
     NAN, NULL, NAN, NAN, NULL},
    {"turf", "football turf", NAN, NAN, NULL, NAN, NULL, 0.60, 6.26,
     "FIFA Quality Programme for Football Turf: a football rises to 0.60 .. 0.85 m after a fall of "
     "2 m; the "
     "middle"},
    {.name = NULL}};

enum { N_GROUND = sizeof sal_terrains / sizeof *sal_terrains - 1 };

sal_err sal_terrain_find(const char *where, const char *name, const sal_terrain **out)
{
  const char *names[N_GROUND + 1] = {NULL};

  for (int i = 0; i < N_GROUND; ++i) {
    const char *known = names[i] = sal_terrains[i].name;
    *out = &sal_terrains[i];
    if (strcmp(known, name) == 0) return SAL_OK;
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "ground", name, names);
}

static double plane_strain(const sal_terrain *g)
{
  return g->young / (1 - g->poisson * g->poisson);
}

double sal_terrain_sphere(const sal_terrain *g, double radius)
{
  return 4.0 / 3 * plane_strain(g) * sqrt(radius);
}

double sal_terrain_punch(const sal_terrain *g, double radius)
{
  return 2 * radius * plane_strain(g);
}

/* Below 0 where e is less than what u leaves. */
static double excess(double u, double e)
{
  return u * (1 + e) - sal_scalar_log1p(u) + sal_scalar_log1p(-u * e);
}

/* Between a and b, where excess(.) goes from one sign to the other; of u, with e given, or of e. */
static double bisect(double a, double b, double given, double (*at)(double x, double given))
{
  const double first = at(a, given);

  for (int i = 0; i < 200; ++i) {
    const double middle = (a + b) / 2;
    if ((at(middle, given) > 0) == (first > 0))
      a = middle;
    else
      b = middle;
  }
  return (a + b) / 2;
}

static double by_u(double u, double e) { return excess(u, e); }
static double by_e(double e, double u) { return excess(u, e); }

double sal_terrain_loss(double e, double v)
{
  const double tiny = 1e-4;

  if (e > 1 - tiny) return (1 - e) / v; /* its limit; the terms cancel */
  return bisect(tiny / 2, 1 / e, e, by_u) * 2 / 3 / v;
}

double sal_terrain_restitution(double loss, double v)
{
  const double u = 1.5 * loss * v, tiny = 1e-5;

  return u < tiny ? 1 - loss * v : bisect(0, fmin(1, 1 / u), u, by_e);
}

double sal_terrain_linear_damping(double stiffness, double mass, double e)
{
  const double l = sal_scalar_log(e);

  return 2 * -l / sqrt(M_PI * M_PI + l * l) * sqrt(stiffness * mass);
}
