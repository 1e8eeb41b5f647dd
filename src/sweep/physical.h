/** Quantities of a real system, its natural units and its terrain, as the parameters of a model. */
#pragma once

#include "measure.h"

/** Can anything physical be given for it? */
bool sal_physical_takes(const sal_model *model);

/** Reads "NAME=NUMBER UNIT,..": the quantities of a model without units (model->physical), or the parameters of a model in
 *  SI units; initial states; ground=NAME with radius, and speed or rebound, for what a ground gives.
 *
 *  value [columns] (parameter_column.h) holds what is not given, in the model's own units; NaN: it must be.  A model
 *  without units gets it in those of the run and *measure its scales; one in SI units in SI units, scales are the
 *  caller's to choose.  All is checked against its range. */
sal_err sal_physical_read(const char *where, const sal_model *model, const char *text,
                          double value[], sal_measure *measure);

/** For a run: param [n_param + n_option] and initial [n_state] hold what is not given, in the model's own units, and receive
 *  all in those of the run, natural units of a model in SI units. */
sal_err sal_physical_parse(const char *where, const sal_model *model, const char *text,
                           double param[], double initial[], sal_measure *measure);

/** value [columns] of a model in SI units, in the units of *measure, whose scales make what is wanted. */
void sal_physical_scale(const double wanted[], double value[], sal_measure *measure);

/* Natural units of a model in SI units: similarity.
 *
 * Equations whose terms agree in their units keep their form in any units of mass, length and time.  So units can be
 * chosen in which up to three quantities have the values one wants: 1, or those that a cube has everywhere. */

/** Are all its quantities in units of metres, kilograms and seconds? */
bool sal_natural_has(const sal_model *model);

/** Values of the columns in the model's natural units: wanted [columns] (parameter_column.h), 1 or NaN. */
void sal_natural_wanted(const sal_model *model, double wanted[]);

/** The units in which value [columns], in SI units, becomes wanted where that is not NaN, nearest to SI units where that
 *  leaves a choice.  A value that conflicts with values before it is left out. */
void sal_natural_scales(const sal_model *model, const double value[], const double wanted[],
                        sal_scales *scales);

/** The unit of a column; "1" of an option. */
const char *sal_natural_unit(const sal_model *model, int column);

/* Grounds by name: published values, and the constants of contact laws from them.
 *
 * The toe is rigid.  A sphere of radius R on an elastic half-space of Young's modulus E and Poisson's ratio nu has
 * Hertz's force k x^1.5 with k = 4/3 E / (1 - nu^2) sqrt(R) (Johnson, Contact Mechanics, eq. (4.23)), a flat round punch
 * the force k x with k = 2 R E / (1 - nu^2) (ibid., eq. (3.36)).  Losses: Hunt and Crossley's force
 * k x^n (1 + 3/2 c x') has the restitution e = 1 - c v at a small speed v (J. Appl. Mech. 42 (1975) 440-445); at any
 * speed, without gravity, u (1 + e) = log((1 + u) / (1 - u e)) with u = 3/2 c v, the law integrated in the phase plane
 * (Marhefka and Orin, IEEE Trans. Syst. Man Cybern. A 29 (1999) 566-572). */

/** A value that is not published is NaN, and its source NULL. */
typedef struct {
  const char *name, *what;
  double young, poisson; /* [Pa], [1] */
  const char *elastic_source;
  double loss; /* c [s/m] */
  const char *loss_source;
  double restitution, speed; /* of a ball, at that speed [m/s] */
  const char *restitution_source;
} sal_terrain;

/** The last one has no name. */
extern const sal_terrain sal_terrains[];
sal_err sal_terrain_find(const char *where, const char *name, const sal_terrain **out);

/** [N/m^1.5] of a sphere, [N/m] of a flat punch of that radius [m]. */
double sal_terrain_sphere(const sal_terrain *ground, double radius);
double sal_terrain_punch(const sal_terrain *ground, double radius);

/** c [s/m] from the restitution e, 0 < e <= 1, at speed v; and back. */
double sal_terrain_loss(double e, double v);
double sal_terrain_restitution(double loss, double v);

/** [N s/m] of a linear spring and damper, left where the depth is 0 again, whose restitution on a mass m is e:
 *  log e = -pi zeta / sqrt(1 - zeta^2), d = 2 zeta sqrt(k m). */
double sal_terrain_linear_damping(double stiffness, double mass, double e);
