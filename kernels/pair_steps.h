/** Steps of an explicit pair with a model's right-hand side compiled into them (lane half).
 *
 *  Tableau and number of states are constants here: loops unroll, zero weights vanish, slopes stay in
 *  registers.  The latency of a step is far longer than its work, so SAL_BLOCKS blocks of lanes go
 *  through each stage by turns; blocks, like lanes, do not depend on one another.  The same operations
 *  in the same order as methods/rk.c, hence the same bits.
 */
#pragma once

#include "contacts.h"
#include "lane_math.h"
#include "methods/control.h"
#include "methods/norm.h"

/* Code grows with the states of a model, which gains less then. */
#define SAL_PAIR_STATES 8
#define SAL_PAIR_SAFETY 0.8

/** A right-hand side: see sal_flow.rhs. */
typedef void sal_stages_rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[]);

/** A block of lanes that takes steps.  It leaves an attempt to the loop, as after
 *  sal_method_ops.step. */
typedef struct SAL_FN(sal_pair_block) {
  sal_step_state *s;
  const sal_contacts *at; /* whose gaps are looked at; NULL: none */
  sal_m lanes;            /* that are at work */
  const sal_v *due;       /* a step that passes and reaches this is shown to `observe` */
  /** Called ahead of taking a step over in the lanes of ok; s is as after sal_method_ops.step.  Is the next
   *  attempt to be left to the loop? */
  bool (*observe)(struct SAL_FN(sal_pair_block) * b, sal_m ok);
  void *context; /* of the caller's */
  int idle;      /* attempts for which lanes have waited since one was left; the caller's to keep */
  bool left;     /* out: is an attempt left to the loop?  Else all have been taken over */
  sal_m ok;      /* out: lanes that pass in the attempt that is left */
  sal_v tried;   /* out: absh of that attempt */
  sal_m failed;  /* out: failed attempts of each lane that were taken over */
  sal_m waited;  /* out: attempts in which it waited, and repeats the one before */
} sal_pair_block;

/** Takes component i into the error norm: error e, blended with *e3 where there is one. */
SAL_INLINE void sal_pair_add_error(sal_norm *norm, sal_v e, const sal_v *e3, sal_v a, sal_v b,
                                   sal_v thr)
{
  const sal_v size = sal_max(sal_max(sal_abs(a), sal_abs(b)), thr);

  if (e3)
    sal_norm_add(norm, e * e, size * sal_sqrt(e * e + 0.01 * *e3 * *e3));
  else
    sal_norm_add(norm, sal_abs(e), size);
}

#define SAL_UNROLL SAL_CONTACTS_UNROLL

/** Where a block stands, and its attempt. */
typedef struct {
  sal_phase phase;
  sal_v t, t_end, hmin, hmax, absh, h, tn, tried, err, q;
  sal_m again, ok, wrong, failed, waits, waited;
  sal_v y[SAL_PAIR_STATES], at[SAL_PAIR_STATES], k[SAL_MAX_STAGE][SAL_PAIR_STATES];
  sal_v e[SAL_PAIR_STATES]; /* estimate of the error, without h */
} sal_pair_state;

SAL_INLINE void sal_pair_open(const int n, const sal_pair_block *b, sal_pair_state *p)
{
  const sal_step_state *s = b->s;

  p->phase = s->phase;
  p->t = s->t;
  p->t_end = s->t_end;
  p->hmin = s->hmin;
  p->hmax = s->hmax;
  p->absh = s->absh;
  p->h = s->h;
  p->tn = s->tn;
  p->again = s->again;
  p->failed = p->waits = p->waited = sal_none();
  SAL_UNROLL for (int i = 0; i < n; ++i) p->y[i] = s->y[i];
  SAL_UNROLL for (int i = 0; i < n; ++i) p->k[0][i] = s->mem[i];
}

/* Where the block stands. */
SAL_INLINE void sal_pair_store(const int n, const sal_pair_state *p, sal_pair_block *b)
{
  sal_step_state *s = b->s;

  s->t = p->t;
  s->hmin = p->hmin;
  s->absh = p->absh;
  s->h = p->h;
  s->tn = p->tn;
  s->again = p->again;
  SAL_UNROLL for (int i = 0; i < n; ++i) s->y[i] = p->y[i];
  SAL_UNROLL for (int i = 0; i < n; ++i) s->mem[i] = p->k[0][i];
}

/* And its attempt. */
SAL_INLINE void sal_pair_leave(const int n, const sal_tableau *tab, const sal_pair_state *p,
                               sal_step_state *s)
{
  SAL_UNROLL for (int i = 0; i < n; ++i) s->yn[i] = p->at[i];
  SAL_UNROLL for (int j = 1; j < tab->stages; ++j) SAL_UNROLL for (int i = 0; i < n; ++i)
      s->mem[j * n + i] = p->k[j][i];
  s->fn = s->mem + (tab->stages - 1) * n;
  s->mem[tab->slots * n] = p->q;
}

SAL_INLINE void sal_pair_stage(sal_stages_rhs *f, const int n, const sal_tableau *tab,
                               const int stage, sal_pair_state *p)
{
  const double *a = tab->table.a[stage];
  const double c = tab->table.c[stage];

  SAL_UNROLL for (int i = 0; i < n; ++i)
  {
    sal_v sum = sal_set(0);
    bool begun = false;
    SAL_UNROLL for (int j = 0; j < stage; ++j) if (a[j] != 0 || j == stage - 1)
    {
      sum = begun ? sum + a[j] * p->k[j][i] : a[j] * p->k[j][i];
      begun = true;
    }
    p->at[i] = p->y[i] + p->h * sum;
  }
  /* copies, so that a function that is not inlined does not force all slopes into memory */
  sal_v y[SAL_PAIR_STATES], dy[SAL_PAIR_STATES];
  SAL_UNROLL for (int i = 0; i < n; ++i) y[i] = p->at[i];
  f(&p->phase, c == 1.0 ? p->tn : p->t + c * p->h, y, dy);
  SAL_UNROLL for (int i = 0; i < n; ++i) p->k[stage][i] = dy[i];
}

/* As sal_stages_sum, which lets weights of 0 pass in the first states, four by four. */
SAL_INLINE sal_v sal_pair_sum(const int n, const int terms, const double w[],
                              const sal_pair_state *p, int i)
{
  sal_v sum = w[0] * p->k[0][i];

  SAL_UNROLL for (int j = 1; j < terms; ++j) if (w[j] != 0 || i >= n / 4 * 4) sum +=
      w[j] * p->k[j][i];
  return sum;
}

/* err / rtol of the attempt. */
SAL_INLINE void sal_pair_estimate(const int n, const sal_tableau *tab, const sal_pair_block *b,
                                  sal_pair_state *p)
{
  const int terms = sal_tableau_terms(tab);
  sal_norm norm = sal_norm_none();

  SAL_UNROLL for (int i = 0; i < n; ++i)
  {
    const sal_v e = p->e[i] = sal_pair_sum(n, terms, tab->e, p, i);
    sal_v e3;
    if (tab->blends) e3 = sal_pair_sum(n, terms, tab->e3, p, i);
    sal_pair_add_error(&norm, e, tab->blends ? &e3 : NULL, p->y[i], p->at[i], b->s->thr[i]);
  }
  p->err = sal_norm_ratio(&norm, p->h, b->s->rtol);
}

/* The error test; a failed attempt shrinks. */
SAL_INLINE void sal_pair_test(const sal_tableau *tab, const sal_pair_block *b, sal_pair_state *p)
{
  p->ok = b->lanes & sal_le(p->err, sal_set(1));
  p->wrong = b->lanes & ~p->ok;
  p->tried = p->absh;
  p->absh = sal_control_shrunk(p->absh, p->hmin, p->again, p->wrong, p->q, SAL_PAIR_SAFETY,
                               tab->shrink, tab->later);
}

/* Lanes in which a contact may cross in the step. */
SAL_INLINE sal_m sal_pair_look(const sal_flow *flow, const int n, const sal_tableau *tab,
                               const sal_pair_block *b, const sal_pair_state *p)
{
  const int last = tab->stages - 1;
  const sal_contacts *at = b->at;
  sal_v y[SAL_PAIR_STATES], dy[SAL_PAIR_STATES];
  sal_m any = sal_none();

  SAL_UNROLL for (int i = 0; i < n; ++i) y[i] = p->at[i];
  SAL_UNROLL for (int i = 0; i < n; ++i) dy[i] = p->k[last][i];
  if (at->in_row)
    sal_contacts_look(b->s, at, sal_none(), p->tn, y, dy, at->gapn, at->raten);
  else if (at->n > 0)
    flow->guard(&b->s->phase, p->tn, y, dy, at->gapn, at->raten);
  for (int k = 0; k < at->n; ++k) at->bulge[k] = sal_set(0);
  const int slopes = sal_contacts_n_slope(tab);
  if (!at->in_row && at->n > 0) SAL_UNROLL for (int m = 0; m < slopes; ++m)
    {
      SAL_UNROLL for (int i = 0; i < n; ++i) dy[i] =
          sal_contacts_slope(tab, m, SAL_PAIR_STATES, &p->k[0][i], p->e[i]);
      flow->guard(&b->s->phase, p->tn, y, dy, at->ga, at->ra);
      sal_contacts_add_bulge(at, tab, m, p->h);
    }
  for (int k = 0; k < at->n; ++k) any |= at->maybe[k] = sal_contacts_may_cross(at, k, p->h, tab);
  return any;
}

/* Lanes that the loop has to see. */
SAL_INLINE sal_m sal_pair_seen(const sal_flow *flow, const int n, const sal_tableau *tab,
                               const sal_pair_block *b, const sal_pair_state *p)
{
  const sal_m cross = b->at ? sal_pair_look(flow, n, tab, b, p) : sal_none();

  return (p->ok & (sal_ge(p->tn, p->t_end) | cross)) | (p->wrong & sal_le(p->tried, p->hmin));
}

/* Do the lanes that the loop has to see wait for other ones?  A turn of the loop costs as much for one lane as for all, some
 * attempts of the pair: until the lanes that wait have missed as many.  They repeat their attempt, with the same bits. */
SAL_INLINE bool sal_pair_waits(sal_pair_block *b, sal_m seen, sal_pair_state *p)
{
  enum { IDLE = 2 * SAL_LANES };

  p->waits = seen;
  if (!sal_any(seen)) return true;
  for (int lane = 0; lane < SAL_LANES; ++lane) b->idle += SAL_AT(seen, lane) != 0;
  if (b->idle >= IDLE || !sal_any(b->lanes & ~seen)) return false;
  p->ok &= ~seen;
  p->wrong &= ~seen;
  p->waited -= seen;
  p->absh = sal_sel(seen, p->tried, p->absh);
  return true;
}

/* Takes the step over where it passed, and sets out for the next one. */
SAL_INLINE void sal_pair_accept(const int n, const int last, const sal_pair_block *b,
                                sal_pair_state *p)
{
  SAL_UNROLL for (int i = 0; i < n; ++i) p->y[i] = sal_sel(p->ok, p->at[i], p->y[i]);
  SAL_UNROLL for (int i = 0; i < n; ++i) p->k[0][i] = sal_sel(p->ok, p->k[last][i], p->k[0][i]);
  if (b->at) {
    sal_contacts_pass(b->at, p->ok);
    sal_assign(b->at->n, p->ok, b->at->gap, b->at->gapn);
    sal_assign(b->at->n, p->ok, b->at->rate, b->at->raten);
  }
  p->t = sal_sel(p->ok, p->tn, p->t);
  p->absh = sal_control_grown(p->absh, p->ok & ~p->again, p->q);
  p->failed -= p->wrong;
  p->again = sal_pick(p->waits, p->again, p->wrong);
  p->hmin = sal_sel(p->ok, 16.0 * sal_lane_spacing(p->t), p->hmin);
  p->absh = sal_sel(p->ok, sal_max(sal_min(p->absh, p->hmax), p->hmin), p->absh);
  const sal_m fresh = p->ok | (p->waits & ~p->again);
  sal_control_set_out(fresh, p->t, p->t_end, SAL_CONTROL_REACH, &p->absh, &p->tn, &p->h);
}

/** See sal_pair_run: takes up to `most` attempts over in each of `blocks` blocks.  Ends after the one in
 *  which enough lanes have to be seen, or which is the last but `most`; blocks with such lanes leave it to
 *  the loop, other ones take it over.  Returns the number that all have taken over. */
SAL_INLINE int64_t sal_pair_take(const sal_flow *flow, sal_stages_rhs *f, const int n,
                                 const sal_tableau *tab, const int blocks, sal_pair_block b[],
                                 int64_t most)
{
  const int last = tab->stages - 1;
  sal_pair_state p[SAL_BLOCKS];
  int64_t turn = 0;

  SAL_UNROLL for (int q = 0; q < blocks; ++q) sal_pair_open(n, &b[q], &p[q]);
  for (bool left = false;; ++turn) {
    SAL_UNROLL for (int stage = 1; stage <= last; ++stage)
        SAL_UNROLL for (int q = 0; q < blocks; ++q) sal_pair_stage(f, n, tab, stage, &p[q]);
    SAL_UNROLL for (int q = 0; q < blocks; ++q) sal_pair_estimate(n, tab, &b[q], &p[q]);
    SAL_UNROLL for (int q = 0; q < blocks; ++q) p[q].q = sal_lane_rough_pow(p[q].err, tab->power);
    SAL_UNROLL for (int q = 0; q < blocks; ++q) sal_pair_test(tab, &b[q], &p[q]);
    SAL_UNROLL for (int q = 0; q < blocks; ++q)
    {
      const sal_m seen = sal_pair_seen(flow, n, tab, &b[q], &p[q]);
      b[q].left = turn >= most || !sal_pair_waits(&b[q], seen, &p[q]);
      left |= b[q].left;
      if (b[q].left) continue;
      if (sal_any(p[q].ok & sal_ge(p[q].tn, *b[q].due))) {
        sal_pair_store(n, &p[q], &b[q]);
        sal_pair_leave(n, tab, &p[q], b[q].s);
        if (b[q].observe(&b[q], p[q].ok)) most = turn + 1;
      }
      sal_pair_accept(n, last, &b[q], &p[q]);
    }
    if (left) break;
  }
  SAL_UNROLL for (int q = 0; q < blocks; ++q)
  {
    sal_pair_store(n, &p[q], &b[q]);
    if (b[q].left) {
      sal_pair_leave(n, tab, &p[q], b[q].s);
      b[q].idle = 0;
    }
    b[q].ok = p[q].ok;
    b[q].tried = p[q].tried;
    b[q].failed = p[q].failed;
    b[q].waited = p[q].waited;
  }
  return turn;
}

/** Defines sal_pairs, the steps of all tableaus, with the function rhs of this file, of n states, and
 *  the gaps of FLOW. */
#define SAL_PAIRS(flow, n)                                                                         \
  extern const sal_flow SAL_FN(flow);                                                              \
  _Static_assert((n) <= SAL_PAIR_STATES, "code grows with the states, which gain less then");      \
  static const sal_flow *const sal_pair_flow = &SAL_FN(flow);                                      \
  enum { SAL_PAIR_N = (n) };                                                                       \
  SAL_TABLEAUS(SAL_PAIR_FUNCTIONS)                                                                 \
  static sal_pair_run *const sal_pairs[SAL_N_TABLEAU][SAL_BLOCKS] = {SAL_TABLEAUS(SAL_PAIR_ROW)};
#define SAL_PAIR_FUNCTION(name, blocks)                                                            \
  static int64_t pair_##name##_##blocks(sal_pair_block *b, int64_t most)                           \
  {                                                                                                \
    return sal_pair_take(sal_pair_flow, rhs, SAL_PAIR_N, &sal_tableau_##name, blocks, b, most);    \
  }
#define SAL_PAIR_FUNCTIONS(name) SAL_PAIR_FUNCTION(name, 1) SAL_PAIR_FUNCTION(name, 2)
#define SAL_PAIR_ROW(name) {pair_##name##_1, pair_##name##_2},
