/** Boxes are drawn in blocks, so that lanes hold unlike ones. */
#include "range_check.h"
#include "flow_draw.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8, POINTS = 6 };

/** Boxes from at[i] to to[i] in the mode of at[i], points in them, and what is known there. */
typedef struct {
  flow_point at[BLOCK], to[BLOCK], in[BLOCK];
  flow_bounds bounds[BLOCK], again[BLOCK];
  flow_values values[BLOCK];
} block;

static double between(flow_stream *s, double a, double b, int point)
{
  if (point < 2) return point ? b : a;
  return fmin(fmax(flow_draw_uniform(s, a, b), a), b);
}

/* In each third box all is a number. */
static void draw_box(flow_stream *s, const sal_model *m, int k, block *b)
{
  const double width = k % 3 ? pow(10, flow_draw_uniform(s, -12, 0)) : 0;
  flow_point *at = &b->at[k], *to = &b->to[k];

  *at = *to = flow_draw_point(s, m, flow_draw_guards(m));
  to->t += width * m->span / 20;
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    to->y[i] += width * flow_draw_uniform(s, 0, 1);
    to->tangent[i] += width * flow_draw_uniform(s, 0, 1);
  }
}

static void draw_inside(flow_stream *s, const sal_model *m, int k, int point, block *b)
{
  const flow_point *at = &b->at[k], *to = &b->to[k];
  flow_point *in = &b->in[k];

  *in = *at;
  in->t = between(s, at->t, to->t, point);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    in->y[i] = between(s, at->y[i], to->y[i], point);
    in->tangent[i] = between(s, at->tangent[i], to->tangent[i], point);
  }
}

/* A rate may be a limit at a kink, where the gap has none: it is looked at where the range is bounded. */
static bool encloses(const flow_bounds *b, const flow_values *v, int k)
{
  const double gap = v->gap[k], rate = v->rate[k];

  if (isnan(b->gap[0][k] + b->gap[1][k]) && isinf(b->gap[0][k]) != isinf(b->gap[1][k]))
    return false;
  return (isnan(gap) || (b->gap[0][k] <= gap && gap <= b->gap[1][k])) &&
         (isnan(rate) || (b->rate[0][k] <= rate && rate <= b->rate[1][k]));
}

static void look(const sal_model *m, const block *b, int box, range_verdict *out)
{
  const bool thin = box % 3 == 0;

  for (int k = 0; k < flow_draw_guards(m); ++k) {
    const flow_bounds *r = &b->bounds[box];
    if (!encloses(r, &b->values[box], k))
      snprintf(out->text, sizeof out->text,
               "%s: contact %d: gap %.17g in [%.17g, %.17g], rate %.17g in [%.17g, %.17g]", m->name,
               k, b->values[box].gap[k], r->gap[0][k], r->gap[1][k], b->values[box].rate[k],
               r->rate[0][k], r->rate[1][k]);
    const double size = fmax(1, fabs(b->values[box].gap[k]));
    out->tight += thin && r->gap[1][k] - r->gap[0][k] <= 1e-12 * size &&
                  r->rate[1][k] - r->rate[0][k] <= 1e-11 * fmax(1, fabs(r->rate[0][k]));
    out->sure += !thin && (r->gap[0][k] > 0 || r->gap[1][k] < 0);
    ++out->boxes;
  }
}

static bool fill_bounds(const sal_model *m, block *b, range_verdict *out)
{
  for (int w = 0; w < n_probe(); ++w) {
    flow_bounds *to = w ? b->again : b->bounds;
    memset(to, 0, sizeof b->bounds);
    if (!probes[w].range(m, flow_draw_guards(m), BLOCK, b->at, b->to, to)) return false;
    if (w && memcmp(b->again, b->bounds, sizeof b->bounds) != 0)
      snprintf(out->text, sizeof out->text, "%s: other ranges in %d lanes", m->name,
               probes[w].width);
  }
  return true;
}

range_verdict range_check_model(const sal_model *m, int boxes)
{
  flow_stream s = flow_draw_stream(m->name);
  range_verdict out = {.text = ""};
  block *b = calloc(1, sizeof *b);

  for (int done = 0; b && done < boxes && out.text[0] == '\0'; done += BLOCK) {
    for (int k = 0; k < BLOCK; ++k) draw_box(&s, m, k, b);
    if (!fill_bounds(m, b, &out)) break;
    for (int point = 0; point < POINTS; ++point) {
      for (int k = 0; k < BLOCK; ++k) draw_inside(&s, m, k, point, b);
      probes[0].call(m, flow_draw_guards(m), 0, BLOCK, b->in, b->values);
      for (int k = 0; k < BLOCK; ++k) look(m, b, k, &out);
    }
  }
  free(b);
  return out;
}
