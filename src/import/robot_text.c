/** Robots as texts of bodies: planar ones where all moves in one plane, spatial ones else. */
#include "base.h"
#include "robot.h"
#include "scalar_math.h"
#include <math.h>
#include <stdarg.h>

/* A text and its axes in the world, two of a plane and the normal that angles turn about, or x, y, z. */
typedef struct {
  sal_robot *robot;
  sal_text *out;
  bool planar;
  double axis[3][3];
} writer;

static void put_number(const writer *w, double x)
{
  char text[SAL_TEXT_NUMBER];

  sal_text_add(w->out, "%s", sal_text_number(fabs(x) < 1e-15 ? 0 : x, text));
}

/* A direction of the world, or a point less `origin`. */
static void put_vector(const writer *w, const double x[3], const double origin[3])
{
  double from[3];

  for (int i = 0; i < 3; ++i) from[i] = x[i] - origin[i];
  for (int i = 0; i < (w->planar ? 2 : 3); ++i) {
    sal_text_add(w->out, "%s", i ? ", " : "[");
    put_number(w, sal_robot_dot(w->axis[i], from));
  }
  sal_text_add(w->out, "]");
}

/* %s: a text, %g: a number, %b: the name of a body, %v: a direction of the world, %p: a body, and a point of the world in its frame, whose
 * origin is its centre of mass. */
static void say(const writer *w, const char *format, ...)
{
  static const double none[3] = {0};
  va_list args;

  va_start(args, format);
  for (const char *at = format; *at; ++at) {
    if (*at != '%') {
      sal_text_append(w->out, at, 1);
      continue;
    }
    const char kind = *++at;
    const int body = kind == 'b' || kind == 'p' ? va_arg(args, int) : -1;
    const sal_robot_body *b = body < 0 ? NULL : &w->robot->body[body];
    if (kind == 's') sal_text_add(w->out, "%s", va_arg(args, const char *));
    if (kind == 'b') sal_text_add(w->out, "%s", b ? b->name : "ground");
    if (kind == 'g') put_number(w, va_arg(args, double));
    if (kind == 'v' || kind == 'p') put_vector(w, va_arg(args, const double *), b ? b->at : none);
  }
  va_end(args);
}

/* A head and its lines, if it has any. */
static void section(writer *w, const char *head, void (*write)(const writer *w))
{
  sal_text *const all = w->out;
  SAL_OWN_BY(sal_text_free) sal_text part = {0};

  w->out = &part;
  write(w);
  w->out = all;
  if (part.length > 0) sal_text_add(all, "%s:\n%s", head, part.string);
  all->lost |= part.lost;
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

/* The moment about the normal of the plane of motion. */
static double moment_of(const writer *w, const sal_robot_body *b)
{
  double turned[3];

  for (int i = 0; i < 3; ++i) turned[i] = sal_robot_dot(b->inertia[i], w->axis[2]);
  return sal_robot_dot(turned, w->axis[2]);
}

static sal_err check_inertia(const writer *w, sal_robot_body *b)
{
  if (w->planar ? !(moment_of(w, b) > 0) : !is_positive(0, b->inertia))
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

static void write_bodies(const writer *w)
{
  for (int i = 0; i < w->robot->n_body; ++i) {
    const sal_robot_body *b = &w->robot->body[i];
    const double(*I)[3] = b->inertia;
    say(w, "  - {name: %s, kind: %s, mass: %g, inertia: ", b->name,
        w->planar ? "planar" : "spatial", b->mass);
    if (w->planar)
      put_number(w, moment_of(w, b));
    else
      say(w, "[%g, %g, %g, %g, %g, %g]", I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
    say(w, ", position: %v}\n", b->at);
  }
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
  say(w, "  - {name: %s, type: %s, bodies: [%b, %b], P_i: %p, P_j: %p", j->name,
      types[w->planar][j->kind], b->parent, body, b->parent, j->at, body, j->at);
  if (w->planar && j->kind == SAL_ROBOT_SLIDE) say(w, ", f_i: %v, h_j: %v", f, j->axis);
  if (!w->planar && j->kind <= SAL_ROBOT_SLIDE)
    say(w, ", f_i: %v, g_i: %v, h_j: %v", f, g, j->axis);
  say(w, !w->planar && j->kind == SAL_ROBOT_SLIDE ? ", f_j: %v}\n" : "}\n", f);
}

/* Springs along a slide lie between points so far apart that they never meet. */
static void write_spring(const writer *w, const sal_robot_body *b, int body)
{
  const double far = 10;
  const sal_robot_joint *j = b->joint;
  double from[3];

  if (b->n_joint != 1 || (j->damping == 0 && j->stiffness == 0) || j->kind > SAL_ROBOT_SLIDE)
    return;
  for (int i = 0; i < 3; ++i) from[i] = j->at[i] - far * j->axis[i];
  if (j->kind == SAL_ROBOT_SLIDE) {
    say(w,
        "  - {name: %s spring, type: line, bodies: [%b, %b], P_i: %p, P_j: %p, k: %g, c: %g, l0: "
        "%g}\n",
        j->name, b->parent, body, b->parent, from, body, j->at, j->stiffness, j->damping,
        far + j->rest);
    if (!j->limited || j->lo <= -far)
      sal_robot_note(w->robot, b->line,
                     "the spring of slide %s turns round where it is at -%g m and below", j->name,
                     far);
  } else if (w->planar)
    say(w, "  - {name: %s spring, type: angle, bodies: [%b, %b], k: %g, c: %g, angle: %g}\n",
        j->name, b->parent, body, j->stiffness, j->damping,
        sal_robot_dot(j->axis, w->axis[2]) * j->rest);
  else
    sal_robot_note(
        w->robot, b->line,
        "left out: damping %g and stiffness %g of hinge %s, which planar bodies alone have",
        j->damping, j->stiffness, j->name);
}

static void write_springs(const writer *w)
{
  for (int b = 0; b < w->robot->n_body; ++b) write_spring(w, &w->robot->body[b], b);
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
  const char *end = side ? "most" : "least";
  say(w,
      "  - {name: %s %s, bodies: [%b, %b], P_i: %p, normal: %v, P_j: %p, closes: %s_%s, opens: "
      "%s_off_%s, law: {rigid: {restitution: 0}}}\n",
      j->name, end, b->parent, body, b->parent, from, normal, body, to, j->name, end, j->name, end);
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

  const char number[] = {(char)('1' + plane), '\0'};
  say(w,
      "  - {name: %s%s%s, bodies: [ground, %b], P_i: %v, normal: %v, P_j: %p, radius: %g, closes: "
      "%s_down%s, opens: %s_up%s, law: {rigid: {restitution: e}}",
      f->name, plane > 0 ? " " : "", plane > 0 ? number : "", f->body, w->robot->plane[plane].at,
      w->robot->plane[plane].normal, f->body, f->at, f->radius, f->name, number, f->name, number);
  if (w->planar && mu > 0 && mu == friction_of(w->robot))
    say(w, ", friction: {mu: mu}");
  else if (w->planar && mu > 0)
    say(w, ", friction: {mu: %g}", mu);
  say(w, "}\n");
}

static void write_contacts(const writer *w)
{
  const sal_robot *r = w->robot;

  for (int b = 0; b < r->n_body; ++b)
    for (int side = 0; side < 2 && (side || has_limits(w, &r->body[b])); ++side)
      write_limit(w, &r->body[b], b, side);
  for (int k = 0; k < r->n_foot; ++k)
    for (int p = 0; p < r->n_plane; ++p) write_foot(w, &r->foot[k], p);
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
  for (int b = 0; b < w->robot->n_body; ++b) write_joint(w, &w->robot->body[b], b);
}

/* Coordinates that are states: angles, and of slides the one along which they go at the start. */
static void write_independent(const writer *w)
{
  bool turns = !w->planar; /* no coordinate is good on all sides */

  for (int b = 0; b < w->robot->n_body; ++b)
    turns |= w->robot->body[b].joint->kind == SAL_ROBOT_SLIDE && w->robot->body[b].parent >= 0;
  if (turns) say(w, "partition: adaptive\n");
  if (!w->planar) return;
  for (int b = 0; b < w->robot->n_body; ++b) {
    const sal_robot_body *body = &w->robot->body[b];
    const char *name = body->name;
    const bool up = fabs(sal_robot_dot(body->joint->axis, w->axis[1])) > 0.7;
    say(w, b ? ", " : "independent: [");
    if (body->joint->kind == SAL_ROBOT_PLANE)
      say(w, "%s_x, %s_y, %s_theta", name, name, name);
    else
      say(w, "%s_%s", name, body->joint->kind == SAL_ROBOT_HINGE ? "theta" : up ? "y" : "x");
  }
  say(w, "]\n");
  if (w->robot->body[0].joint->kind == SAL_ROBOT_PLANE)
    say(w, "watch: %s_y\n", w->robot->body[0].name);
}

/* `usual` holds the range and what is allowed, each of which is wider where the preset is beyond it. */
static void put_parameter(const writer *w, const char *name, const char *what, double preset,
                          const double usual[3])
{
  say(w, "  %s: {unit: %s, preset: %g, range: [%g, %g], allowed: [0, %g]}\n", name, what, preset,
      fmin(usual[0], preset), fmax(usual[1], preset), fmax(usual[2], preset));
}

static void write_parameters(const writer *w)
{
  const sal_robot *r = w->robot;

  put_parameter(w, "g", "m/s^2, what: gravity", sqrt(sal_robot_dot(r->gravity, r->gravity)),
                (const double[]){1.6, 12, 1000});
  if (r->n_foot == 0 || r->n_plane == 0) return;
  put_parameter(w, "e", "1, what: restitution of spheres and ground", 0,
                (const double[]){0, 0.5, 1});
  if (w->planar && friction_of(r) > 0)
    put_parameter(w, "mu", "1, what: friction of spheres and ground", friction_of(r),
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

  for (int i = 0; i < (w->planar ? 2 : 3); ++i) {
    const double share = g > 0 ? sal_robot_dot(w->axis[i], w->robot->gravity) / g : 0;
    say(w, fabs(share) < 1e-15 ? "%s%g" : "%s%g * g", i ? ", " : "gravity: [", share);
  }
  say(w, "]\n");
}

sal_err sal_robot_write(sal_robot *robot, sal_text *out)
{
  SAL_OWN_BY(sal_text_free) sal_text body = {0};
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
  say(&w, "name: %s\ntitle: \"%s, from a description of a robot\"\nspan: 2\n", robot->name,
      robot->name);
  write_gravity(&w);
  write_independent(&w);
  section(&w, "parameters", write_parameters);
  section(&w, "bodies", write_bodies);
  section(&w, "joints", write_joints);
  section(&w, "springs", write_springs);
  section(&w, "contacts", write_contacts);
  write_head(&w, out);
  sal_text_append(out, body.string, body.length);
  out->lost |= body.lost;
  return SAL_OK;
}
