/** @file src/sweep/terrain.h
 *  Grounds by name: published values, and the constants of contact laws from them.
 *
 *  The toe is rigid.  A sphere of radius R on an elastic half-space of Young's modulus E and Poisson's ratio nu has
 *  Hertz's force k x^1.5 with k = 4/3 E / (1 - nu^2) sqrt(R) (Johnson, Contact Mechanics, eq. (4.23)), a flat round punch
 *  the force k x with k = 2 R E / (1 - nu^2) (ibid., eq. (3.36)).  Losses: Hunt and Crossley's force
 *  k x^n (1 + 3/2 c x') has the restitution e = 1 - c v at a small speed v (J. Appl. Mech. 42 (1975) 440-445); at any
 *  speed, without gravity, u (1 + e) = log((1 + u) / (1 - u e)) with u = 3/2 c v, the law integrated in the phase plane
 *  (Marhefka and Orin, IEEE Trans. Syst. Man Cybern. A 29 (1999) 566-572).
 */
#ifndef SAL_TERRAIN_H
#define SAL_TERRAIN_H

#include "err.h"

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
SAL_MUST_CHECK sal_err sal_terrain_find(const char *where, const char *name,
                                        const sal_terrain **out);

/** [N/m^1.5] of a sphere, [N/m] of a flat punch of that radius [m]. */
double sal_terrain_sphere(const sal_terrain *ground, double radius);
double sal_terrain_punch(const sal_terrain *ground, double radius);

/** c [s/m] from the restitution e, 0 < e <= 1, at speed v; and back. */
double sal_terrain_loss(double e, double v);
double sal_terrain_restitution(double loss, double v);

/** [N s/m] of a linear spring and damper, left where the depth is 0 again, whose restitution on a mass m is e:
 *  log e = -pi zeta / sqrt(1 - zeta^2), d = 2 zeta sqrt(k m). */
double sal_terrain_linear_damping(double stiffness, double mass, double e);

#endif
