/** Robots as texts of bodies: planar ones where all moves in one plane, spatial ones else. */
#include "base.h"
#include "robot.h"
#include "scalar_math.h"
#include <math.h>

/* A text and its axes in the world, two of a plane and the normal that angles turn about, or x, y, z. */
typedef struct {
  sal_robot *robot;
  sal_text *out;
  bool planar;
  double axis[3][3];
} writer;

static void put(const writer *w, const char *before, const double x[3])
{
  char text[SAL_TEXT_NUMBER];

  sal_text_add(w->out, "%s[", before);
  for (int i = 0; i < (w->planar ? 2 : 3); ++i) {
    const double c = sal_robot_dot(w->axis[i], x);
    sal_text_add(w->out, "%s%s", i ? ", " : "", sal_text_number(fabs(c) < 1e-15 ? 0 : c, text));
  }
  sal_text_add(w->out, "]");
}

static void put_number(const writer *w, const char *before, double x)
{
  char text[SAL_TEXT_NUMBER];

  sal_text_add(w->out, "%s%s", before, sal_text_number(fabs(x) < 1e-15 ? 0 : x, text));
}

static const char *name_of(const writer *w, int body)
{
  return body < 0 ? "ground" : w->robot->body[body].name;
}

/* A point of the world in the frame of a body, whose origin is its centre of mass. */
static void put_point(const writer *w, const char *before, int body, const double x[3])
{
  double s[3];

  for (int i = 0; i < 3; ++i) s[i] = x[i] - (body < 0 ? 0 : w->robot->body[body].at[i]);
  put(w, before, s);
}

/* Moves all in one plane, which has gravity in it?  Its axes then: up, and the one that is nearest to x. */
static bool find_plane(writer *w)
{
  const sal_robot *r = w->robot;
  const double *n = NULL;
  double cross[3];

  for (int b = 0; b < r->n_body; ++b) {
    const sal_robot_joint *j = r->body[b].joint;
    if (j->kind == SAL_ROBOT_BALL || j->kind == SAL_ROBOT_FREE) return false;
    if (j->kind != SAL_ROBOT_SLIDE) n = j->axis;
  }
  if (!n || fabs(sal_robot_dot(n, r->gravity)) > 1e-12) return false;
  for (int b = 0; b < r->n_body; ++b) {
    const sal_robot_joint *j = r->body[b].joint;
    sal_robot_cross(n, j->axis, cross);
    if (j->kind == SAL_ROBOT_SLIDE ? fabs(sal_robot_dot(n, j->axis)) > 1e-12
                                   : sal_robot_dot(cross, cross) > 1e-24)
      return false;
  }
  for (int k = 0; k < r->n_plane; ++k)
    if (fabs(sal_robot_dot(n, r->plane[k].normal)) > 1e-12) return false;
  double *up = w->axis[1], *along = w->axis[0];
  for (int i = 0; i < 3; ++i) up[i] = -r->gravity[i];
  if (!sal_robot_unit(up)) { /* weightless: any direction of the plane */
    const double any[3] = {fabs(n[2]) > 0.9, 0, fabs(n[2]) <= 0.9};
    for (int i = 0; i < 3; ++i) up[i] = any[i] - sal_robot_dot(any, n) * n[i];
    if (!sal_robot_unit(up)) return false;
  }
  sal_robot_cross(up, n, along);
  const int big = fabs(along[0]) > 0.5 ? 0 : fabs(along[1]) > 0.5 ? 1 : 2;
  const double side = along[big] < 0 ? -1 : 1;
  for (int i = 0; i < 3; ++i) along[i] *= side;
  sal_robot_cross(along, up, w->axis[2]);
  return true;
}

/* Two directions normal to an axis. */
static void normals(const double axis[3], double f[3], double g[3])
{
  const double other[3] = {fabs(axis[0]) < 0.6, fabs(axis[0]) >= 0.6, 0};

  sal_robot_cross(axis, other, f);
  (void)sal_robot_unit(f);
  sal_robot_cross(axis, f, g);
}

/* Sylvester's criterion; of a tensor, or of half its trace less the tensor: no body has a moment above the sum of the other two. */
static bool is_positive(double trace, double A[3][3])
{
  double M[3][3], cross[3];

  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      M[i][j] = trace > 0 ? (i == j ? trace * (0.5 + 1e-6) : 0) - A[i][j] : A[i][j];
  sal_robot_cross(M[1], M[2], cross);
  return M[0][0] > 0 && M[0][0] * M[1][1] > M[0][1] * M[0][1] && sal_robot_dot(M[0], cross) > 0;
}

static sal_err check_inertia(const writer *w, sal_robot_body *b)
{
  double turned[3];

  for (int i = 0; i < 3; ++i) turned[i] = sal_robot_dot(b->inertia[i], w->axis[2]);
  if (w->planar ? !(sal_robot_dot(turned, w->axis[2]) > 0) : !is_positive(0, b->inertia))
    return sal_robot_fail(w->robot, b->line, "body '%s': inertia: it is not positive%s", b->name,
                          w->planar ? " about the normal of the plane of motion" : " definite");
  if (!w->planar &&
      !is_positive(b->inertia[0][0] + b->inertia[1][1] + b->inertia[2][2], b->inertia))
    sal_robot_note(w->robot, b->line,
                   "body '%s': inertia: one moment is above the sum of the other two, which no "
                   "body has",
                   b->name);
  return SAL_OK;
}

static void write_body(const writer *w, const sal_robot_body *b)
{
  sal_text_add(w->out, "  - {name: %s, kind: %s, mass: ", b->name,
               w->planar ? "planar" : "spatial");
  put_number(w, "", b->mass);
  if (w->planar) {
    double turned[3];
    for (int i = 0; i < 3; ++i) turned[i] = sal_robot_dot(b->inertia[i], w->axis[2]);
    put_number(w, ", inertia: ", sal_robot_dot(turned, w->axis[2]));
  } else {
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; ++i)
      put_number(w, i ? ", " : ", inertia: [", b->inertia[at[i][0]][at[i][1]]);
    sal_text_add(w->out, "]");
  }
  put(w, ", position: ", b->at);
  sal_text_add(w->out, "}\n");
}

/* Keys of the directions that joints have: f_i, g_i, h_j, f_j. */
static void write_joint(const writer *w, const sal_robot_body *b, int body)
{
  static const char *const types[2][3] = {{"revolute", "translational", "spherical"},
                                          {"pin", "slider", ""}};
  const sal_robot_joint *j = b->joint;
  double f[3], g[3];

  if (j->kind == SAL_ROBOT_FREE || j->kind == SAL_ROBOT_PLANE) return;
  normals(j->axis, f, g);
  if (w->planar) sal_robot_cross(w->axis[2], j->axis, f);
  sal_text_add(w->out, "  - {name: %s, type: %s, bodies: [%s, %s]", j->name,
               types[w->planar][j->kind], name_of(w, b->parent), b->name);
  put_point(w, ", P_i: ", b->parent, j->at);
  put_point(w, ", P_j: ", body, j->at);
  if (j->kind == SAL_ROBOT_SLIDE || (j->kind == SAL_ROBOT_HINGE && !w->planar)) {
    put(w, ", f_i: ", f);
    if (!w->planar) put(w, ", g_i: ", g);
    put(w, ", h_j: ", j->axis);
  }
  if (j->kind == SAL_ROBOT_SLIDE && !w->planar) put(w, ", f_j: ", f);
  sal_text_add(w->out, "}\n");
}

static bool has_spring(const sal_robot_body *b)
{
  return b->n_joint == 1 && (b->joint->damping != 0 || b->joint->stiffness != 0) &&
         b->joint->kind <= SAL_ROBOT_SLIDE;
}

/* Springs along a slide lie between points so far apart that they never meet. */
static void write_spring(const writer *w, const sal_robot_body *b, int body)
{
  const double far = 10;
  const sal_robot_joint *j = b->joint;
  const bool slides = j->kind == SAL_ROBOT_SLIDE;
  double from[3];

  sal_text_add(w->out, "  - {name: %s spring, type: %s, bodies: [%s, %s]", j->name,
               slides ? "line" : "angle", name_of(w, b->parent), b->name);
  for (int i = 0; i < 3; ++i) from[i] = j->at[i] - far * j->axis[i];
  if (slides) put_point(w, ", P_i: ", b->parent, from);
  if (slides) put_point(w, ", P_j: ", body, j->at);
  put_number(w, ", k: ", j->stiffness);
  put_number(w, ", c: ", j->damping);
  if (slides) put_number(w, ", l0: ", far + j->rest);
  if (!slides) put_number(w, ", angle: ", sal_robot_dot(j->axis, w->axis[2]) * j->rest);
  sal_text_add(w->out, "}\n");
}

/* A limit is a contact: along a slide q - lo; of a hinge sin(q - lo), of a point at a distance of 1 m and the plane through
 * the hinge that it reaches at lo. */
static void write_limit(const writer *w, const sal_robot_body *b, int body, int side)
{
  const sal_robot_joint *j = b->joint;
  const double bound = side ? j->hi : j->lo, sign = side ? -1 : 1;
  double normal[3], from[3], to[3], f[3], g[3], sine, cosine;

  normals(j->axis, f, g);
  if (w->planar) {
    memcpy(f, w->axis[0], sizeof f);
    sal_robot_cross(j->axis, f, g);
  }
  sal_scalar_sincos(bound, &sine, &cosine);
  for (int i = 0; i < 3; ++i) {
    const bool slides = j->kind == SAL_ROBOT_SLIDE;
    normal[i] = sign * (slides ? j->axis[i] : cosine * g[i] - sine * f[i]);
    from[i] = j->at[i] + (slides ? bound * j->axis[i] : 0);
    to[i] = j->at[i] + (slides ? 0 : f[i]);
  }
  sal_text_add(w->out, "  - {name: %s %s, bodies: [%s, %s]", j->name, side ? "most" : "least",
               name_of(w, b->parent), b->name);
  put_point(w, ", P_i: ", b->parent, from);
  put(w, ", normal: ", normal);
  put_point(w, ", P_j: ", body, to);
  sal_text_add(w->out, ", closes: %s_%s, opens: %s_off_%s, law: {rigid: {restitution: 0}}}\n",
               j->name, side ? "most" : "least", j->name, side ? "most" : "least");
}

static bool has_limits(const writer *w, const sal_robot_body *b)
{
  const sal_robot_joint *j = b->joint;
  const bool turns = j->kind == SAL_ROBOT_HINGE;

  if (b->n_joint != 1 || !j->limited || j->kind > SAL_ROBOT_SLIDE) return false;
  if (j->lo <= 0 && j->hi >= 0 && j->lo < j->hi && !(turns && j->hi - j->lo > 3.1)) return true;
  sal_robot_note(w->robot, b->line,
                 "left out: limits %g, %g of %s: they hold 0, less than 3.1 rad apart", j->lo,
                 j->hi, j->name);
  return false;
}

/* The parameter mu: what the first sphere has on the first plane. */
static double friction_of(const sal_robot *r)
{
  return fmax(r->foot[0].touch.mu, r->plane[0].touch.mu);
}

static void write_foot(const writer *w, const sal_robot_foot *f, int plane)
{
  const sal_robot_touch *of = &w->robot->plane[plane].touch;
  const double mu = f->touch.slick && of->slick ? 0 : fmax(f->touch.mu, of->mu);
  double apart[3];

  if (!(f->touch.bits[0] & of->bits[1]) && !(of->bits[0] & f->touch.bits[1])) return;
  for (int i = 0; i < 3; ++i) apart[i] = f->at[i] - w->robot->plane[plane].at[i];
  const double gap = sal_robot_dot(w->robot->plane[plane].normal, apart) - f->radius;
  if (gap < -1e-9)
    sal_robot_note(w->robot, w->robot->body[f->body].line,
                   "sphere %s begins %g m beneath a plane: give initial states", f->name, -gap);

  sal_text_add(w->out, "  - {name: %s", f->name);
  if (plane > 0) sal_text_add(w->out, " %d", plane + 1);
  sal_text_add(w->out, ", bodies: [ground, %s]", name_of(w, f->body));
  put(w, ", P_i: ", w->robot->plane[plane].at);
  put(w, ", normal: ", w->robot->plane[plane].normal);
  put_point(w, ", P_j: ", f->body, f->at);
  put_number(w, ", radius: ", f->radius);
  sal_text_add(w->out, ", closes: %s_down%d, opens: %s_up%d, law: {rigid: {restitution: e}}",
               f->name, plane + 1, f->name, plane + 1);
  if (w->planar && mu > 0 && mu == friction_of(w->robot))
    sal_text_add(w->out, ", friction: {mu: mu}");
  else if (w->planar && mu > 0)
    put_number(w, ", friction: {mu: ", mu), sal_text_add(w->out, "}");
  sal_text_add(w->out, "}\n");
}

static void write_contacts(writer *w)
{
  const sal_robot *r = w->robot;
  sal_text *const all = w->out;
  SAL_OWN_BY(sal_text_free) sal_text part = {0};

  w->out = &part;
  for (int b = 0; b < r->n_body; ++b)
    for (int side = 0; side < 2 && (side || has_limits(w, &r->body[b])); ++side)
      write_limit(w, &r->body[b], b, side);
  for (int k = 0; k < r->n_foot; ++k)
    for (int p = 0; p < r->n_plane; ++p) write_foot(w, &r->foot[k], p);
  w->out = all;
  if (part.length > 0) sal_text_add(all, "contacts:\n");
  sal_text_append(all, part.string, part.length);
  all->lost |= part.lost;
  if (r->n_foot > 0 && r->n_plane == 0)
    sal_robot_note(w->robot, 1, "left out: contacts of spheres: no plane of the world");
  if (r->n_foot > 0 && r->n_plane > 0 && !w->planar)
    sal_robot_note(w->robot, 1,
                   "left out: friction of spheres in space, which time stepping alone has: add "
                   "friction: {mu: %g} to contacts and run method moreau",
                   friction_of(r));
}

static void write_joints(const writer *w)
{
  const sal_robot *r = w->robot;
  bool begun = false;

  for (int b = 0; b < r->n_body; ++b) {
    const bool held = r->body[b].joint->kind <= SAL_ROBOT_BALL;
    if (held && !begun) sal_text_add(w->out, "joints:\n");
    begun |= held;
    write_joint(w, &r->body[b], b);
  }
  begun = false;
  for (int b = 0; b < r->n_body; ++b) {
    if (!has_spring(&r->body[b])) continue;
    if (!w->planar && r->body[b].joint->kind == SAL_ROBOT_HINGE) {
      sal_robot_note(
          w->robot, r->body[b].line,
          "left out: damping %g and stiffness %g of hinge %s, which planar bodies alone have",
          r->body[b].joint->damping, r->body[b].joint->stiffness, r->body[b].joint->name);
      continue;
    }
    if (!begun) sal_text_add(w->out, "springs:\n");
    begun = true;
    write_spring(w, &r->body[b], b);
  }
}

/* Coordinates that are states: angles, and of slides the one along which they go at the start. */
static void write_independent(const writer *w)
{
  bool turns = !w->planar; /* no coordinate is good on all sides */

  for (int b = 0; b < w->robot->n_body; ++b)
    turns |= w->robot->body[b].joint->kind == SAL_ROBOT_SLIDE && w->robot->body[b].parent >= 0;
  if (turns) sal_text_add(w->out, "partition: adaptive\n");
  if (!w->planar) return;
  sal_text_add(w->out, "independent: [");
  for (int b = 0; b < w->robot->n_body; ++b) {
    const sal_robot_body *body = &w->robot->body[b];
    const char *name = body->name;
    const bool up = fabs(sal_robot_dot(body->joint->axis, w->axis[1])) > 0.7;
    if (b) sal_text_add(w->out, ", ");
    if (body->joint->kind == SAL_ROBOT_PLANE)
      sal_text_add(w->out, "%s_x, %s_y, %s_theta", name, name, name);
    else
      sal_text_add(w->out, "%s_%s", name,
                   body->joint->kind == SAL_ROBOT_HINGE ? "theta"
                   : up                                 ? "y"
                                                        : "x");
  }
  sal_text_add(w->out, "]\n");
  if (w->robot->body[0].joint->kind == SAL_ROBOT_PLANE)
    sal_text_add(w->out, "watch: %s_y\n", w->robot->body[0].name);
}

/* `usual` holds the range and what is allowed, each of which is wider where the preset is beyond it. */
static void put_parameter(const writer *w, const char *head, double preset, const double usual[3])
{
  put_number(w, head, preset);
  put_number(w, ", range: [", fmin(usual[0], preset));
  put_number(w, ", ", fmax(usual[1], preset));
  put_number(w, "], allowed: [0, ", fmax(usual[2], preset));
  sal_text_add(w->out, "]}\n");
}

static void write_parameters(const writer *w)
{
  const sal_robot *r = w->robot;

  sal_text_add(w->out, "parameters:\n");
  put_parameter(w, "  g: {unit: m/s^2, what: gravity, preset: ",
                sqrt(sal_robot_dot(r->gravity, r->gravity)), (const double[]){1.6, 12, 1000});
  if (r->n_foot == 0 || r->n_plane == 0) return;
  put_parameter(w, "  e: {unit: 1, what: restitution of spheres and ground, preset: ", 0,
                (const double[]){0, 0.5, 1});
  if (w->planar && friction_of(r) > 0)
    put_parameter(w,
                  "  mu: {unit: 1, what: friction of spheres and ground, preset: ", friction_of(r),
                  (const double[]){0.1, 1, 10});
}

/* Head of the text: notes as comments, and which plane. */
static void write_head(const writer *w, sal_text *out)
{
  const double(*a)[3] = w->axis;

  if (w->planar)
    sal_text_add(
        out,
        "# All moves in a plane: x along (%g, %g, %g), y along (%g, %g, %g) of the description, "
        "theta from x to y.\n",
        a[0][0] + 0.0, a[0][1] + 0.0, a[0][2] + 0.0, a[1][0] + 0.0, a[1][1] + 0.0, a[1][2] + 0.0);
  sal_text_add(out, "# Positions are those of centres of mass where all joints are at 0.\n");
  for (const char *at = w->robot->notes.string; at && *at; at += strcspn(at, "\n") + 1)
    sal_text_add(out, "# %.*s\n", (int)strcspn(at, "\n"), at);
}

static void write_gravity(const writer *w)
{
  const double g = sqrt(sal_robot_dot(w->robot->gravity, w->robot->gravity));

  sal_text_add(w->out, "gravity: [");
  for (int i = 0; i < (w->planar ? 2 : 3); ++i) {
    const double share = g > 0 ? sal_robot_dot(w->axis[i], w->robot->gravity) / g : 0;
    put_number(w, i ? ", " : "", share);
    if (fabs(share) >= 1e-15) sal_text_add(w->out, " * g");
  }
  sal_text_add(w->out, "]\n");
}

sal_err sal_robot_write(sal_robot *robot, sal_text *out)
{
  sal_text body = {0};
  writer w = {.robot = robot, .out = &body};

  w.planar = find_plane(&w);
  if (!w.planar) memcpy(w.axis, sal_robot_origin.R, sizeof w.axis);
  for (int b = 0; b < robot->n_body; ++b)
    if (!w.planar && robot->body[b].joint->kind == SAL_ROBOT_PLANE)
      return sal_robot_fail(
          robot, robot->body[b].line,
          "'%s' moves in a plane, which gravity or other parts leave; a joint of type floating "
          "is expected",
          robot->body[b].name);
  for (int b = 0; b < robot->n_body; ++b) SAL_TRY(check_inertia(&w, &robot->body[b]));
  sal_text_add(&body, "name: %s\ntitle: \"%s, from a description of a robot\"\nspan: 2\n",
               robot->name, robot->name);
  write_gravity(&w);
  write_independent(&w);
  write_parameters(&w);
  sal_text_add(&body, "bodies:\n");
  for (int b = 0; b < robot->n_body; ++b) write_body(&w, &robot->body[b]);
  write_joints(&w);
  write_contacts(&w);
  write_head(&w, out);
  sal_text_append(out, body.string, body.length);
  out->lost |= body.lost;
  sal_text_free(&body);
  return SAL_OK;
}
