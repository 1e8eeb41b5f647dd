/** MJCF as text.  The slope of the plate counts counter-clockwise in the x-z plane, so its hinge
 *  points along -y.
 */
#include "mjcf.h"
#include <string.h>

#define GRAVITY 9.81      /* [m/s^2]; these three are the presets of our models */
#define BODY_MASS 1.0     /* [kg] */
#define INERTIA (1.0 / 3) /* [kg m^2] */
#define HALF_LENGTH 3.0   /* [m] the plate stays above every spring */
#define SOFT_RADIUS 0.5   /* [m] spheres report no depth beyond their radius */
#define FOOT_RADIUS 0.05  /* [m] more than a foot falls in a step */

static const variant variants[] = {
    {"feet", CONTACT_FEET, false, "auto"},    {"feet_best", CONTACT_FEET, true, "sparse"},
    {"soft", CONTACT_SOFT, false, "auto"},    {"soft_best", CONTACT_SOFT, true, "dense"},
    {"passive", CONTACT_NONE, false, "auto"}, {"leg", CONTACT_LEG, false, "auto"},
};

/* Feet must follow the plate: a stiff contact with the time constant of two steps.  Soft contacts
 * get theirs when the masses are known. */
static const char *const material[] = {
    [CONTACT_NONE] = "",
    [CONTACT_SOFT] = "solref=\"-1 -1\" solimp=\"1e-4 1e-4 0.001\"",
    [CONTACT_FEET] = "solref=\"0.004 1\" solimp=\"0.99 0.99 0.001\"",
    [CONTACT_LEG] = "solref=\"0.004 1\" solimp=\"0.99 0.99 0.001\"",
};

const variant *variant_named(const char *name)
{
  for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i)
    if (strcmp(variants[i].name, name) == 0) return &variants[i];
  return NULL;
}

/* Place of spring i under the plate [m]. */
static double spring_at(const world *w, int i)
{
  return w->task->n > 1 ? BED_WIDTH * (i / (w->task->n - 1.0) - 0.5) : 0;
}

/* Unneeded features are switched off, and the arrays are as long as they must be: both in MuJoCo's
 * favour. */
static void options(const world *w, FILE *out)
{
  fprintf(out,
          "<compiler angle=\"radian\" autolimits=\"true\"/>\n"
          "<option timestep=\"%.17g\" gravity=\"0 0 %.17g\" integrator=\"%s\" solver=\"Newton\" "
          "jacobian=\"%s\" collision=\"%s\">\n"
          "<flag frictionloss=\"disable\" limit=\"disable\" actuation=\"disable\" "
          "equality=\"disable\" sensor=\"disable\"/></option>\n"
          "<size njmax=\"%d\" nconmax=\"%d\"/>\n",
          w->task->dt, -GRAVITY, w->integrator, w->variant->jacobian,
          w->variant->pairs ? "predefined" : "dynamic", 2 * w->task->n + 16, w->task->n + 16);
  if (w->variant->kind != CONTACT_NONE)
    fprintf(out, "<default><geom condim=\"1\" friction=\"0 0 0\" margin=\"0\" %s/></default>\n",
            material[w->variant->kind]);
}

static void mass(double m, double inertia, FILE *out)
{
  fprintf(out, "<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n", m,
          inertia, inertia, inertia);
}

static void leg(const world *w, FILE *out)
{
  fprintf(out,
          "<body pos=\"0 0 %.17g\"><joint type=\"slide\" axis=\"0 0 1\" stiffness=\"%.17g\" "
          "springref=\"0\"/>\n",
          FOOT_RADIUS - BED_HEIGHT, w->task->stiffness);
  mass(w->foot * BODY_MASS, 1e-6, out);
  fprintf(out, "<geom type=\"sphere\" size=\"%g\" contype=\"1\" conaffinity=\"0\"/></body>\n",
          FOOT_RADIUS);
}

static void body(const world *w, FILE *out)
{
  fputs("<body name=\"body\" pos=\"0 0 0\">\n", out);
  if (!w->task->hopper) fputs("<joint type=\"slide\" axis=\"1 0 0\"/>\n", out);
  fputs("<joint type=\"slide\" axis=\"0 0 1\"/>\n", out);
  if (!w->task->hopper) fputs("<joint type=\"hinge\" axis=\"0 -1 0\"/>\n", out);
  mass(BODY_MASS, INERTIA, out);
  if (w->variant->kind == CONTACT_FEET || w->variant->kind == CONTACT_SOFT)
    fprintf(out,
            "<geom name=\"plate\" type=\"box\" size=\"%g 1 1\" pos=\"0 0 1\" contype=\"1\" "
            "conaffinity=\"0\"/>\n",
            HALF_LENGTH);
  if (w->variant->kind == CONTACT_LEG) leg(w, out);
  fputs("</body>\n", out);
  if (w->variant->kind == CONTACT_LEG)
    fputs("<geom type=\"plane\" size=\"1 1 1\" contype=\"0\" conaffinity=\"1\"/>\n", out);
}

static void foot(const world *w, int i, FILE *out)
{
  const int n = w->task->n;

  fprintf(out,
          "<body pos=\"%.17g 0 %.17g\"><joint type=\"slide\" axis=\"0 0 1\" stiffness=\"%.17g\" "
          "damping=\"%.17g\" springref=\"0\"/>\n",
          spring_at(w, i), BED_HEIGHT - FOOT_RADIUS, w->task->stiffness / n, w->task->damping / n);
  mass(w->foot * BODY_MASS / n, 1e-6, out);
  fprintf(
      out,
      "<geom name=\"g%d\" type=\"sphere\" size=\"%g\" contype=\"0\" conaffinity=\"1\"/></body>\n",
      i, FOOT_RADIUS);
}

static void soft_sphere(const world *w, int i, FILE *out)
{
  fprintf(out,
          "<geom name=\"g%d\" type=\"sphere\" size=\"%g\" pos=\"%.17g 0 %.17g\" contype=\"0\" "
          "conaffinity=\"1\"/>\n",
          i, SOFT_RADIUS, spring_at(w, i), BED_HEIGHT - SOFT_RADIUS);
}

void mjcf_write(const world *w, FILE *out)
{
  const contact_kind kind = w->variant->kind;

  fprintf(out, "<mujoco model=\"%s\">\n", w->task->hopper ? "hopper" : "plate");
  options(w, out);
  fputs("<worldbody>\n", out);
  body(w, out);
  for (int i = 0; i < w->task->n; ++i) {
    if (kind == CONTACT_FEET) foot(w, i, out);
    if (kind == CONTACT_SOFT) soft_sphere(w, i, out);
  }
  fputs("</worldbody>\n", out);
  if (w->variant->pairs) {
    fputs("<contact>\n", out);
    for (int i = 0; i < w->task->n; ++i)
      fprintf(out, "<pair geom1=\"plate\" geom2=\"g%d\" condim=\"1\" %s/>\n", i, material[kind]);
    fputs("</contact>\n", out);
  }
  fputs("</mujoco>\n", out);
}
