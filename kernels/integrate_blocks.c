/** The trajectory loop over blocks of lanes with a common queue of jobs.
 *
 *  An explicit pair takes two blocks at once, so that one computes while the other one waits, and goes
 *  on by itself as long as there is nothing to see to (pair_steps.h); any other method has one block.
 */
#include "integrate_turn.h"
#include "pair_steps.h"

/** Blocks of lanes with a common queue of jobs. */
typedef struct {
  sal_batch *b[SAL_BLOCKS];
  sal_v *memory[SAL_BLOCKS]; /* of each */
  int n;                     /* blocks in which a lane is live, the first ones */
  sal_pair_run *const *pair; /* [SAL_BLOCKS] steps of so many blocks; NULL: one at a time */
  int rhs;                   /* evaluations of f in an attempt of the pair */
  sal_m live[2];             /* lane-turns with a trajectory, and all */
  int idle[SAL_BLOCKS];      /* see sal_pair_block */
} sal_blocks;

/* Attempts that a pair may take over by itself before a cutoff or a budget has to be looked at: none where a lane is
 * close to one, or where there is more to do around a step than to look at gaps. */
static int64_t attempts_ahead(const sal_batch *b, int rhs)
{
  enum { MANY = 64 };
  const sal_setup *u = b->setup;
  const int most = rhs + u->method->dense_rhs; /* of an attempt that reaches mesh points */
  sal_m near = sal_none();

  if (b->strategy && (!b->strategy->at_crossings || b->at.always)) return 0;
  if (b->has_cutoff && sal_batch_lowers(b)) return 0;
  near |= SAL_MASK(b->attempts >= b->look - (MANY + 1));
  if (b->has_cutoff)
    near |= sal_gt(sal_integrate_work(b) + (MANY + 1) * most * u->work.rhs, b->most_work);
  near |= SAL_MASK(b->s.n_row > 0) &
          sal_gt(sal_integrate_spent(b) + (MANY + 1) * most * u->work.rhs, b->budget);
  return sal_any(b->live & near) ? 0 : MANY;
}

static void count_turns(sal_blocks *all, const sal_m live[], int64_t turns)
{
  for (int q = 0; q < all->n; ++q) {
    sal_count(&all->live[0], live[q], turns);
    sal_count(&all->live[1], ~sal_none(), turns);
  }
}

/* A pair takes a step over that reaches mesh points, where the error of a lane may lower its cutoff. */
static bool observe_ahead(sal_pair_block *p, sal_m ok)
{
  const sal_batch *b = p->context;

  sal_integrate_observe(p->context, ok);
  return b->has_cutoff && sal_batch_lowers(b);
}

/* After `turns` attempts that a pair has taken over in the lanes of `live`. */
static void count_taken(sal_batch *b, int rhs, sal_m live, int64_t turns, const sal_pair_block *p)
{
  const sal_m attempts = (live & ((sal_m){0} + turns)) - p->waited, steps = attempts - p->failed;
  const sal_m some = SAL_MASK(steps > 0);

  b->s.n_rhs += attempts * rhs;
  b->attempts += attempts;
  b->failed += p->failed;
  b->steps += steps;
  b->restep_tries = sal_pick(some, sal_none(), b->restep_tries);
  if (!b->strategy || b->at.n == 0) return;
  b->s.n_gap += steps;
  b->at.touched_from = sal_sel(some, sal_set(0), b->at.touched_from);
  b->at.touched_to = sal_sel(some, sal_set(0), b->at.touched_to);
}

/* Attempts of every block by the pair, of which one is left to be seen to. */
static void step_pair(sal_blocks *all, const sal_m live[], sal_pair_block p[])
{
  int64_t most = INT64_MAX;

  for (int q = 0; q < all->n; ++q) {
    sal_batch *b = all->b[q];
    const int64_t room = attempts_ahead(b, all->rhs);
    most = room < most ? room : most;
    p[q].s = &b->s;
    p[q].at = b->strategy && room > 0 ? &b->at : NULL;
    p[q].lanes = live[q];
    p[q].due = &b->observer.due;
    p[q].observe = observe_ahead;
    p[q].context = b;
    p[q].idle = all->idle[q];
  }
  const int64_t turns = all->pair[all->n - 1](p, most);
  for (int q = 0; q < all->n; ++q) {
    count_taken(all->b[q], all->rhs, live[q], turns + !p[q].left, &p[q]);
    all->live[0] -= p[q].waited;
    all->idle[q] = p[q].idle;
    all->b[q]->at.looked = p[q].at != NULL;
    if (p[q].left) sal_count(&all->b[q]->s.n_rhs, live[q], all->rhs);
  }
  count_turns(all, live, turns);
}

/* One attempt, or one projection, in every lane; more by a pair. */
static void take_turn(sal_blocks *all)
{
  sal_pair_block p[SAL_BLOCKS];
  sal_m anew[SAL_BLOCKS], live[SAL_BLOCKS];

  for (int q = 0; q < all->n; ++q) {
    sal_batch *b = all->b[q];
    sal_integrate_end_lanes(b);
    live[q] = b->live;
  }
  count_turns(all, live, 1);
  for (int q = 0; q < all->n; ++q) {
    sal_batch *b = all->b[q];
    anew[q] = sal_integrate_begin_turn(b);
    live[q] &= ~b->moved;
  }
  if (all->pair)
    step_pair(all, live, p);
  else
    for (int q = 0; q < all->n; ++q) {
      sal_step_state *s = &all->b[q]->s;
      p[q].tried = s->absh;
      p[q].ok = s->method->step(s, live[q]) & live[q];
      p[q].left = true;
    }
  for (int q = 0; q < all->n; ++q)
    if (p[q].left) sal_integrate_end_turn(all->b[q], live[q], p[q].ok, p[q].tried, anew[q]);
}

static int count_lanes(sal_m lanes)
{
  int n = 0;

  for (int lane = 0; lane < SAL_LANES; ++lane) n += SAL_AT(lanes, lane) != 0;
  return n;
}

/* When no job is left and the lanes of two blocks fit into one, they do: a turn of one block takes less
 * time. */
static void merge_blocks(sal_blocks *all)
{
  if (all->n < 2 || all->b[0]->queue->next < all->b[0]->queue->n) return;
  sal_batch *to = all->b[0], *from = all->b[1];
  if (count_lanes(to->live) + count_lanes(from->live) > SAL_LANES) return;
  for (int lane = 0, free = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(from->live, lane)) continue;
    while (SAL_AT(to->live, free)) ++free;
    sal_batch_move(to, all->memory[0], free, from, all->memory[1], lane);
  }
  all->n = 1;
}

/* Takes turns until no lane is live, or until the runs are halted. */
static void run_blocks(sal_blocks *all, const sal_setup *setup)
{
  static const atomic_int never = 0;
  const atomic_int *const halt = setup->halt ? setup->halt : &never; /* one load in a turn */
  sal_lane_use *use = setup->use;

  for (; all->n > 1 || sal_any(all->b[0]->live); merge_blocks(all)) {
    if (atomic_load_explicit(halt, memory_order_relaxed)) break;
    take_turn(all);
  }
  for (int q = 0; q < all->n; ++q) sal_batch_halt(all->b[q]);
  for (int lane = 0; use && lane < SAL_LANES; ++lane) {
    use->live += SAL_AT(all->live[0], lane);
    use->all += SAL_AT(all->live[1], lane);
  }
}

/* The pair's steps that are compiled together with f; NULL: there are none. */
static sal_pair_run *const *pair_of(const sal_setup *setup)
{
  const sal_flow *flow = setup->model->SAL_WIDTH(w);
  const sal_method_ops *method = setup->method->SAL_WIDTH(w);

  if (!flow->pair || method->pair == 0 || setup->fixed_step > 0) return NULL;
  return flow->pair[method->pair - 1];
}

static int most_blocks(sal_pair_run *const *pair) { return pair ? SAL_BLOCKS : 1; }

size_t SAL_FN(sal_integrate_bytes)(const sal_setup *setup)
{
  sal_batch b;

  sal_batch_prepare(&b, setup);
  return (size_t)most_blocks(pair_of(setup)) * sal_batch_lay_out(&b, NULL) * sizeof(sal_v);
}

static void fill_block(sal_batch *b, sal_queue *queue)
{
  b->queue = queue;
  b->s.phase.p = b->p;
  b->s.phase.held = b->setup->strategy->held ? ~sal_none() : sal_none();
  for (int lane = 0; lane < SAL_LANES; ++lane) {
    const bool busy = queue->next < queue->n;
    sal_batch_load(b, lane, busy ? queue->next++ : 0);
    SAL_AT(b->live, lane) = -(int64_t)busy;
  }
  sal_integrate_enter(b);
}

void SAL_FN(sal_integrate)(const sal_setup *setup, int64_t n, const sal_job *job, sal_record *out,
                           void *work)
{
  sal_batch b[SAL_BLOCKS];
  sal_queue queue = {.job = job, .out = out, .n = n};
  sal_blocks all = {.pair = pair_of(setup)};
  sal_v *block = work;
  const int most = n > 2 * SAL_LANES ? most_blocks(all.pair) : 1;

  if (n <= 0) return;
  if (all.pair) all.rhs = sal_tableaus[setup->method->SAL_WIDTH(w)->pair - 1]->stages - 1;
  memset(work, 0, SAL_FN(sal_integrate_bytes)(setup));
  for (all.n = 0; all.n < most && queue.next < n; ++all.n) {
    all.b[all.n] = &b[all.n];
    all.memory[all.n] = block;
    sal_batch_prepare(&b[all.n], setup);
    block += sal_batch_lay_out(&b[all.n], block);
    fill_block(&b[all.n], &queue);
  }
  run_blocks(&all, setup);
}
