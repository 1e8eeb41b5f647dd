/** @file src/sched/sim/bill.c
 *  The table of phases, and what follows from it.
 */
#include "bill.h"
#include <math.h>
#include <stdbool.h>

/* Bytes of a record in the list that every rank has of them; of a tile in the lists of the
 * schedule, and more on the first rank. */
enum { RECORD_BYTES = 32, TILE_BYTES = 40, POOL_BYTES = 64, HUNDRED = 100 };

/* One journal for each node, in folders of a hundred. */
typedef enum { NO_FILE, CUBE, CUBE_ON_ALL, JOURNALS, JOURNALS_ON_ALL, JOURNALS_OF_RECORDS } files;

/* Of a map of the preset questions: each rank writes a run of cells in each. */
enum { MAP_COLUMNS = 24 };

#define BIT(memory) (1U << SAL_BILL_##memory)

/* passes: how often the data are moved.  pace [s/B]: CPU time of one rank for a byte.  requests: as measured, so many for each
 * record and for each rank, or one for so many bytes.  files: opened, made or removed.  memory: kinds that a phase has at once, beside the program. */
static const struct row {
  sal_bill_data data;
  int passes;
  double pace;
  struct {
    int of_record, of_rank;
    double bytes;
  } requests;
  files files;
  unsigned memory;
} rows[SAL_N_PHASE] = {
    [SAL_PHASE_START] = {SAL_BILL_NOTHING, 1, 0, {0, 0, 0}, NO_FILE, 0},
    [SAL_PHASE_COMPUTE] = {SAL_BILL_NOTHING, 1, 0, {0, 0, 0}, NO_FILE, BIT(TILE)},
    [SAL_PHASE_JOURNAL] = {SAL_BILL_JOURNAL, 1, 32e-9, {4, 0, 0}, JOURNALS_ON_ALL, BIT(TILE)},
    [SAL_PHASE_FRAME] = {SAL_BILL_FRAME, 2, 4.5e-9, {0, 0, 2e5}, CUBE, BIT(BLOCK)},
    [SAL_PHASE_READ] = {SAL_BILL_JOURNAL, 1, 10e-9, {2, 0, 0}, JOURNALS_OF_RECORDS, BIT(ROUND)},
    [SAL_PHASE_WRITE] = {SAL_BILL_METRICS, 1, 60e-9, {0, 0, 2e5}, CUBE_ON_ALL, BIT(ROUND)},
    [SAL_PHASE_CHECK] = {SAL_BILL_METRICS, 1, 0.5e-9, {0, 0, 2e5}, NO_FILE, BIT(ROUND)},
    [SAL_PHASE_ROWS] =
        {SAL_BILL_ROWS, 1, 20e-9, {0, 0, 2e3}, CUBE_ON_ALL, BIT(ROUND) | BIT(PLACES)},
    [SAL_PHASE_MAP] =
        {SAL_BILL_MAP, 1, 5e-9, {0, MAP_COLUMNS, 3e6}, CUBE_ON_ALL, BIT(ROUND) | BIT(PLACES)},
    [SAL_PHASE_STORE] = {SAL_BILL_STORED, 1, 6e-9, {0, 0, 2e5}, NO_FILE, BIT(TILE)},
    [SAL_PHASE_REMOVE] = {SAL_BILL_NOTHING, 1, 0, {0, 0, 0}, JOURNALS, 0},
};

const struct sal_bill_phase_text sal_bill_phases[SAL_N_PHASE] = {
    [SAL_PHASE_START] = {"start", "ranks are started and find each other"},
    [SAL_PHASE_COMPUTE] = {"compute", "the cells"},
    [SAL_PHASE_JOURNAL] = {"journal", "finished tiles to the disk, as far as it lags"},
    [SAL_PHASE_FRAME] = {"frame", "coordinates and labels of the cube, written and read back"},
    [SAL_PHASE_READ] = {"read", "the journals"},
    [SAL_PHASE_WRITE] = {"write", "the metrics of the cube"},
    [SAL_PHASE_CHECK] = {"check", "reading them back"},
    [SAL_PHASE_ROWS] = {"rows", "what the map is made from, where ranks have no room for it"},
    [SAL_PHASE_MAP] = {"map", "the best contenders of each cell"},
    [SAL_PHASE_STORE] = {"store", "trajectories that are kept"},
    [SAL_PHASE_REMOVE] = {"remove", "the journals"},
};

static int count_nodes(const sal_bill_machine *m)
{
  return (m->n_rank + m->per_node - 1) / m->per_node;
}

/* A rank reads from a journal at once what it needs of it, and opens none of which it needs no
 * record. */
static double count_files(const sal_bill_sweep *s, const sal_bill_machine *m, files kind)
{
  const double nodes = count_nodes(m), ranks = m->n_rank;
  const double count[] = {[NO_FILE] = 0,
                          [CUBE] = 1,
                          [CUBE_ON_ALL] = ranks,
                          [JOURNALS] = nodes + ceil(nodes / HUNDRED),
                          [JOURNALS_ON_ALL] = ranks + ceil(nodes / HUNDRED),
                          [JOURNALS_OF_RECORDS] = fmin((double)s->records, nodes * ranks)};

  return count[kind];
}

static double memory_of(const sal_bill_sweep *s, unsigned kinds, bool first)
{
  double bytes = s->memory[SAL_BILL_PROGRAM];

  bytes += (double)s->records * (RECORD_BYTES + TILE_BYTES + (first ? POOL_BYTES : 0));
  for (int k = 0; k < SAL_N_BILL_MEMORY; ++k)
    if (kinds >> k & 1) bytes += s->memory[k];
  return bytes;
}

static bool is_idle(const sal_bill_sweep *s, const struct row *r)
{
  return r->data != SAL_BILL_NOTHING && s->bytes[r->data] <= 0;
}

static double count_requests(const sal_bill_sweep *s, const sal_bill_machine *m,
                             const struct row *r, double bytes)
{
  return (double)s->records * r->requests.of_record + (double)m->n_rank * r->requests.of_rank +
         (r->requests.bytes > 0 ? ceil(bytes / r->requests.bytes) : 0);
}

static void fill_phase(const sal_bill_sweep *s, const sal_bill_machine *m, const struct row *r,
                       sal_bill_phase *out)
{
  const double bytes = r->passes * s->bytes[r->data], opened = count_files(s, m, r->files),
               requests = count_requests(s, m, r, bytes);

  *out = (sal_bill_phase){0};
  if (is_idle(s, r)) return;
  *out = (sal_bill_phase){.seconds = bytes / m->bandwidth + bytes * r->pace / m->n_rank +
                                     opened * m->open + requests * m->request / m->n_rank,
                          .requests = requests,
                          .bytes = bytes,
                          .opens = opened,
                          .first = memory_of(s, r->memory, true),
                          .others = memory_of(s, r->memory & ~BIT(BLOCK), false)};
}

void sal_bill_make(const sal_bill_sweep *s, const sal_bill_machine *m, double compute, sal_bill *b)
{
  const double *bytes = s->bytes;
  const double journal = bytes[SAL_BILL_JOURNAL] / m->bandwidth;

  for (int k = 0; k < SAL_N_PHASE; ++k) fill_phase(s, m, &rows[k], &b->phase[k]);
  b->phase[SAL_PHASE_START].seconds = m->startup * (1 + ceil(log2(count_nodes(m))));
  b->phase[SAL_PHASE_COMPUTE].seconds = compute;
  b->phase[SAL_PHASE_JOURNAL].seconds -= fmin(journal, compute);
  if (bytes[SAL_BILL_MAP] > 0) b->phase[SAL_PHASE_MAP].seconds += s->answers / m->n_rank;
  if (bytes[SAL_BILL_STORED] > 0) b->phase[SAL_PHASE_STORE].seconds += s->again * compute;
  b->disk = bytes[SAL_BILL_FRAME] + bytes[SAL_BILL_METRICS] + bytes[SAL_BILL_MAP] +
            bytes[SAL_BILL_STORED];
  b->peak = b->disk + bytes[SAL_BILL_JOURNAL];
}

sal_bill_phase sal_bill_sum(const sal_bill *b)
{
  sal_bill_phase sum = {0};

  for (int k = 0; k < SAL_N_PHASE; ++k) {
    const sal_bill_phase *p = &b->phase[k];
    sum.seconds += p->seconds;
    sum.bytes += p->bytes;
    sum.opens += p->opens;
    sum.requests += p->requests;
    sum.first = fmax(sum.first, p->first);
    sum.others = fmax(sum.others, p->others);
  }
  return sum;
}
