/** The table of phases, and what follows from it. */
#include "bill.h"
#include "base.h"

/* Bytes of a record in the list that every rank has of them; of a tile in the lists of the
 * schedule, which are there while cells are computed, and more on the first rank. */
enum { RECORD_BYTES = 32, TILE_BYTES = 40, POOL_BYTES = 64, HUNDRED = 100 };

/* One journal for each node, in folders of a hundred.  A file that all ranks have open is opened by one of each node. */
typedef enum { NO_FILE, CUBE, CUBE_ON_NODES, JOURNALS, JOURNALS_OF_RANKS } files;

/* Times that the first rank opens the cube: to make it, for each thing that is put into it, and for the seal. */
enum { CUBE_OPENS = 12 };

/* Columns of a map of the preset questions; each rank writes a run of cells in each. */
enum { MAP_COLUMNS = 24 };

#define BIT(memory) (1U << SAL_BILL_##memory)

/* Share of a step's data that it reads or writes; of those in memory the processor has its work all the same. */
typedef enum { ALL, NOT_HELD, EARLY, NOT_EARLY } part;

/* Steps of the phases.  data: read or written, but for a share of them; moved: from rank to rank; serial: by the first
 * rank.  pace [s/B]: CPU time for a byte of data, of one rank for all; of serial, of the first.  alone: the share of it that one thread of a rank
 * does, as measured.  requests: as measured, so many for each
 * record and for each rank, those of all rounds, or one for so many bytes.  files: opened, made or removed.  memory: kinds that a step has at once, beside the program. */
static const struct row {
  sal_bill_step phase;
  sal_bill_data data, moved, serial;
  part part;
  double pace, alone, serial_pace;
  struct {
    int of_record, of_rank;
    bool of_pieces;
    double bytes;
  } requests;
  files files;
  unsigned memory;
} rows[] = {
    {SAL_PHASE_START, .memory = BIT(TEXT)},
    {SAL_PHASE_COMPUTE, .memory = BIT(TILE) | BIT(HELD)},
    {SAL_PHASE_JOURNAL, .data = SAL_BILL_JOURNAL, .pace = 32e-9, .alone = 0.125,
     .requests = {.of_record = 4}, .files = JOURNALS, .memory = BIT(TILE) | BIT(HELD)},
    {SAL_PHASE_JOURNAL, /* metrics of finished cells, beside it */
     .data = SAL_BILL_METRICS, .part = EARLY, .pace = 60e-9, .alone = 0.01,
     .requests = {.of_record = 1}, .memory = BIT(TILE) | BIT(HELD)},
    {SAL_PHASE_WRITE, /* coordinates and labels of the cube */
     .data = SAL_BILL_FRAME, .pace = 9e-9, .alone = 1, .requests = {.bytes = 2e5}, .files = CUBE,
     .memory = BIT(BLOCK) | BIT(HELD)},
    {SAL_PHASE_WRITE, /* basins: the records once before, and the marks of cells */
     .data = SAL_BILL_MARKED, .moved = SAL_BILL_MARKS, .serial = SAL_BILL_MARKS, .part = NOT_HELD,
     .pace = 10e-9, .alone = 0.13, .serial_pace = 10e-9, .requests = {.of_record = 2},
     .files = JOURNALS_OF_RANKS,
     .memory = BIT(ROUND) | BIT(HELD) | BIT(MARKED_OWN) | BIT(MARKS_ALL)},
    {SAL_PHASE_WRITE, /* records of the journals, from memory or from the disk */
     .data = SAL_BILL_JOURNAL, .moved = SAL_BILL_JOURNAL, .part = NOT_HELD, .pace = 10e-9,
     .alone = 0.13, .requests = {.of_record = 2}, .files = JOURNALS_OF_RANKS,
     .memory = BIT(ROUND) | BIT(HELD) | BIT(ROWS)},
    {SAL_PHASE_WRITE, /* metrics of the cube */
     .data = SAL_BILL_METRICS, .part = NOT_EARLY, .serial = SAL_BILL_INDEX, .pace = 60e-9,
     .alone = 0.01, .serial_pace = 1e-9, .requests = {.of_pieces = true}, .files = CUBE_ON_NODES,
     .memory = BIT(ROUND) | BIT(HELD) | BIT(ROWS) | BIT(CHUNKS)},
    {SAL_PHASE_MAP, .data = SAL_BILL_MAP, .moved = SAL_BILL_NEIGHBOURS, .pace = 5e-9, .alone = 1,
     .requests = {.of_rank = MAP_COLUMNS, .bytes = 3e6}, .files = CUBE_ON_NODES,
     .memory = BIT(ROWS) | BIT(PLACES)},
    {SAL_PHASE_WRITE, /* trajectories */
     .data = SAL_BILL_STORED, .pace = 6e-9, .alone = 1, .requests = {.bytes = 2e5},
     .memory = BIT(TILE) | BIT(ROWS)},
    {SAL_PHASE_WRITE, .files = JOURNALS}, /* which are removed */
};

/* The same of the map's answers. */
static const double answers_alone = 0.01;

const char *const sal_bill_phases[SAL_N_PHASE] = {"start", "compute", "journal", "write", "map"};

static int count_nodes(const sal_bill_machine *m)
{
  return (m->n_rank + m->per_node - 1) / m->per_node;
}

/* A rank that does not have all its records in memory reads the others from the journal of its node. */
static double count_files(const sal_bill_sweep *s, const sal_bill_machine *m, files kind)
{
  const double nodes = count_nodes(m);
  const double count[] = {[NO_FILE] = 0,
                          [CUBE] = CUBE_OPENS,
                          [CUBE_ON_NODES] = nodes,
                          [JOURNALS] = nodes + ceil(nodes / HUNDRED),
                          [JOURNALS_OF_RANKS] = s->held < 1 ? m->n_rank : 0};

  return count[kind];
}

static double memory_of(const sal_bill_sweep *s, unsigned kinds, bool first)
{
  const int schedule = kinds & BIT(TILE) ? TILE_BYTES + (first ? POOL_BYTES : 0) : 0;
  double bytes = s->memory[SAL_BILL_PROGRAM] + (double)s->records * (RECORD_BYTES + schedule);

  for (int k = 0; k < SAL_N_BILL_MEMORY; ++k)
    if (kinds >> k & 1) bytes += s->memory[k];
  return bytes;
}

static bool is_idle(const sal_bill_sweep *s, const struct row *r)
{
  return r->data != SAL_BILL_NOTHING &&
         (s->bytes[r->data] <= 0 || (r->part == EARLY && s->early <= 0));
}

static double count_requests(const sal_bill_sweep *s, const sal_bill_machine *m,
                             const struct row *r, double share, double bytes)
{
  return share * (double)s->records * r->requests.of_record +
         (double)m->n_rank * r->requests.of_rank +
         (r->requests.of_pieces ? (double)(m->n_rank * s->rounds * s->pieces) : 0) +
         (r->requests.bytes > 0 ? ceil(bytes / r->requests.bytes) : 0);
}

/* Any of n ranks may need a byte of any other; with a probability of 1 / n it has the byte itself. */
static double bytes_moved(const sal_bill_sweep *s, const sal_bill_machine *m, const struct row *r)
{
  return s->bytes[r->moved] * (1 - 1. / m->n_rank);
}

static void add(sal_bill_phase *to, const sal_bill_phase *p)
{
  to->seconds += p->seconds;
  to->bytes += p->bytes;
  to->moved += p->moved;
  to->opens += p->opens;
  to->requests += p->requests;
  to->first = fmax(to->first, p->first);
  to->others = fmax(to->others, p->others);
}

/* CPU time shared by ranks, and by their threads, but for a share that one thread of each does. */
static double shared(const sal_bill_machine *m, double seconds, double alone)
{
  return seconds * (alone + (1 - alone) / m->threads) / m->n_rank;
}

static void add_step(const sal_bill_sweep *s, const sal_bill_machine *m, const struct row *r,
                     sal_bill_phase *out)
{
  const double shares[] = {1, 1 - s->held, s->early, 1 - s->early}, share = shares[r->part],
               all = s->bytes[r->data], bytes = share * all,
               worked = r->part == NOT_HELD ? all : bytes, opened = count_files(s, m, r->files),
               moved = bytes_moved(s, m, r), requests = count_requests(s, m, r, share, bytes);
  const sal_bill_phase step = {
      .seconds = bytes / m->bandwidth + shared(m, worked * r->pace, r->alone) +
                 s->bytes[r->serial] * r->serial_pace + moved / m->network / count_nodes(m) +
                 opened * m->open + requests * m->request / m->n_rank,
      .requests = requests,
      .bytes = bytes,
      .moved = moved,
      .opens = opened,
      .first = memory_of(s, r->memory, true),
      .others = memory_of(s, r->memory & ~(BIT(BLOCK) | BIT(CHUNKS) | BIT(MARKS_ALL)), false)};

  if (!is_idle(s, r)) add(out, &step);
}

void sal_bill_make(const sal_bill_sweep *s, const sal_bill_machine *m, double compute, sal_bill *b)
{
  const double *bytes = s->bytes;
  const double beside =
      (bytes[SAL_BILL_JOURNAL] + s->early * bytes[SAL_BILL_METRICS]) / m->bandwidth;

  *b = (sal_bill){0};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    add_step(s, m, &rows[k], &b->phase[rows[k].phase]);
  b->phase[SAL_PHASE_START].seconds = m->startup * (1 + ceil(log2(count_nodes(m))));
  b->phase[SAL_PHASE_COMPUTE].seconds = compute;
  b->phase[SAL_PHASE_JOURNAL].seconds -= fmin(beside, compute);
  if (bytes[SAL_BILL_MAP] > 0)
    b->phase[SAL_PHASE_MAP].seconds += shared(m, s->answers, answers_alone);
  if (bytes[SAL_BILL_STORED] > 0) b->phase[SAL_PHASE_WRITE].seconds += s->again * compute;
  b->disk = bytes[SAL_BILL_FRAME] + bytes[SAL_BILL_METRICS] + bytes[SAL_BILL_MAP] +
            bytes[SAL_BILL_STORED];
  b->peak = b->disk + bytes[SAL_BILL_JOURNAL];
}

sal_bill_phase sal_bill_sum(const sal_bill *b)
{
  sal_bill_phase sum = {0};

  for (int k = 0; k < SAL_N_PHASE; ++k) add(&sum, &b->phase[k]);
  return sum;
}
