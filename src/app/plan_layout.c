/** Memory of nodes.  The threads of a rank share its data of the sweep, ranks do not. */
#include "base.h"
#include "basins.h"
#include "collective_error.h"
#include "cube_write.h"
#include "journal_deal.h"
#include "map_cube.h"
#include "node_words.h"
#include "plan_print.h"
#include "run_sweep.h"
#include "spent_text.h"
#include "tile_run.h"

/* A layout of a run; bytes: memory of the fullest node, that of rank 0. */
typedef struct {
  int ranks, per_node, threads;
  double bytes;
} nodes;

static nodes layout_of(const sal_bill *bill, const sal_cli_machine *machine, int n_rank,
                       int threads)
{
  const sal_bill_phase all = sal_bill_sum(bill);
  const int crowd = sal_cli_machine_crowd(machine, n_rank);

  return (nodes){n_rank, (int)machine->per_node, threads, all.first + (crowd - 1) * all.others};
}

static nodes bill_layout(const sal_plan *p, const sal_cli_machine *at, int ranks, int threads)
{
  const sal_bill_machine machine = sal_cli_machine_of(at, ranks, threads);
  const sal_bill_sweep sizes = sal_plan_sizes(p->sweep, &p->packed, ranks, threads, at->map);
  sal_bill bill;

  sal_bill_make(&sizes, &machine, 0, &bill);
  return layout_of(&bill, at, ranks, threads);
}

/* The first one with half as many ranks a node, a quarter, .., and as many more threads each, that fits into the memory of a node;
 * ranks 0: not even one rank a node does. */
static nodes fitting_layout(const sal_plan *p, const nodes *asked)
{
  const int crowd = sal_cli_machine_crowd(p->machine, asked->ranks),
            n_node = (asked->ranks + crowd - 1) / crowd;
  sal_cli_machine at = *p->machine;

  for (at.per_node = crowd / 2; at.per_node >= 1; at.per_node /= 2) {
    const int each = (int)at.per_node, more = (crowd + each - 1) / each;
    const nodes one = bill_layout(p, &at, n_node * each, asked->threads * more);
    if (one.bytes <= sal_cli_machine_memory(&at)) return one;
  }
  return (nodes){0};
}

static void put_layout(sal_json *j, const nodes *fits)
{
  if (fits->ranks == 0) {
    sal_json_number(j, "fitting", NAN);
    return;
  }
  sal_json_object_of(j, "fitting", "ranks %d, ranks_per_node %d, threads %d, node_bytes %g",
                     fits->ranks, fits->per_node, fits->threads, fits->bytes);
}

/* "64 ranks of a node take 130 GB, it has 64 GB; 16 ranks of 4 threads, 4 a node, take 20 GB" */
static void describe(const sal_cli_machine *machine, const nodes *asked, const nodes *fits,
                     sal_text *out)
{
  const int crowd = sal_cli_machine_crowd(machine, asked->ranks);

  sal_text_add(out, "%d rank%s of a node %s %s, it has %s", crowd, sal_text_plural(crowd),
               crowd == 1 ? "takes" : "take", sal_amount_of_bytes(asked->bytes).text,
               sal_amount_of_bytes(sal_cli_machine_memory(machine)).text);
  if (machine->memory == 0) sal_text_add(out, " if it is as this machine (--memory)");
  if (fits->ranks)
    sal_text_add(out, "; %d rank%s of %d threads, %d a node, take %s", fits->ranks,
                 sal_text_plural(fits->ranks), fits->threads, fits->per_node,
                 sal_amount_of_bytes(fits->bytes).text);
  else
    sal_text_add(out, "; one rank a node does not fit, either");
}

void sal_plan_layout_print(sal_report *r, const sal_plan *p, const sal_plan_run *run)
{
  const nodes asked = layout_of(&run->bill, p->machine, run->ranks, run->threads);
  const double memory = sal_cli_machine_memory(p->machine);
  SAL_OWN_BY(sal_text_free) sal_text words = {0};

  sal_json_members(&r->json, "node_bytes %g, node_memory %g", asked.bytes, memory);
  if (asked.bytes <= memory) return;
  const nodes fits = fitting_layout(p, &asked);
  put_layout(&r->json, &fits);
  describe(p->machine, &asked, &fits, &words);
  sal_report_say(r, "%-13stoo much: %s\n", "", words.string ? words.string : "");
}

/* Collective.  Ranks of the fullest node. */
static sal_err find_crowd(MPI_Comm comm, int64_t *crowd)
{
  SAL_OWN_BY(sal_node_ranks_free) sal_node_ranks node = {0};

  SAL_TRY(sal_node_ranks_find(comm, &node));
  *crowd = node.n_rank;
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, crowd, 1, MPI_INT64_T, MPI_MAX, comm));
  return SAL_OK;
}

/* Nodes may have less memory than others, ranks other threads. */
static sal_err check_node(const sal_sweep *s, const sal_cli_machine *machine, int n_rank)
{
  const sal_plan p = {.sweep = s, .machine = machine};
  const nodes asked = bill_layout(&p, machine, n_rank, sal_tile_threads());
  SAL_OWN_BY(sal_text_free) sal_text words = {0};

  if (asked.bytes <= sal_cli_machine_memory(machine)) return SAL_OK;
  const nodes fits = fitting_layout(&p, &asked);
  describe(machine, &asked, &fits, &words);
  return sal_fail(SAL_ERR_INPUT, "%s: %s", s->path, words.string ? words.string : "");
}

sal_err sal_plan_layout_check(MPI_Comm comm, const sal_sweep *s, double memory, bool map)
{
  sal_cli_machine machine = {SAL_CLI_MACHINE_PRESETS};
  int n_rank = 1;

  SAL_TRY(find_crowd(comm, &machine.per_node));
  MPI_Comm_size(comm, &n_rank);
  machine.memory = memory;
  machine.map = map;
  return sal_collective_error(comm, check_node(s, &machine, n_rank));
}

/* Memory of a thread, about, while it packs chunks, and while it makes answers of a map [B]. */
static const double pack_bytes = 4e5, answer_bytes = 2e6;

sal_bill_sweep sal_plan_sizes(const sal_sweep *s, const sal_packed_size *packed, int n_rank,
                              int threads, bool map)
{
  const int64_t most = sal_tile_most(s), tile = sal_tiles_largest(s->n_cell, n_rank, most);
  const sal_cube_size cube = sal_cube_size_of(s, packed, (s->n_cell + n_rank - 1) / n_rank);
  const sal_map_size of = sal_map_size_of(s, packed, n_rank);
  const sal_basins_size basins = sal_basins_size_of(s, n_rank);
  const double cells = (double)s->n_cell;
  const int64_t unit = sal_run_cells_unit(s, n_rank);
  int64_t whole;
  const int64_t tiles = sal_tiles_count(s->n_cell, n_rank, most, unit > 1 ? unit : 1, &whole);
  sal_bill_sweep out = {.records = tiles + (tile > SAL_RUN_CELLS_FIRST ? n_rank : 0),
                        .early = unit > 0 && s->n_cell > 0 ? (double)whole / cells : 0,
                        .rounds = cube.rounds,
                        .pieces = cube.pieces,
                        .again = s->n_cell ? (double)s->stored.n_cell / cells : 0};
  const double journal = sal_packed_size_journal(packed, s, cells, (double)out.records);

  map = map && of.fits;
  out.rows = of.once;
  out.answers = map ? of.seconds : 0;
  out.bytes[SAL_BILL_JOURNAL] = journal;
  out.bytes[SAL_BILL_FRAME] = (double)cube.frame;
  out.bytes[SAL_BILL_METRICS] = (double)cube.metrics;
  out.bytes[SAL_BILL_INDEX] = (double)cube.index;
  out.bytes[SAL_BILL_MARKED] = basins.marks > 0 ? journal : 0;
  out.bytes[SAL_BILL_MARKS] = basins.marks;
  out.bytes[SAL_BILL_NEIGHBOURS] = map ? of.moved : 0;
  out.bytes[SAL_BILL_MAP] = map ? of.written : 0;
  out.bytes[SAL_BILL_STORED] = sal_stored_bytes(&s->stored, sal_config_count(s), s->model->n_state);
  out.held = fmin(1, (double)SAL_JOURNAL_HELD_MOST * n_rank / fmax(1, journal));
  out.memory[SAL_BILL_HELD] = out.held * journal / n_rank;
  out.memory[SAL_BILL_PROGRAM] = sal_run_bytes(s);
  out.memory[SAL_BILL_TEXT] = s->read_bytes;
  out.memory[SAL_BILL_TILE] = (double)sal_tile_bytes(s, tile, threads);
  out.memory[SAL_BILL_ROUND] = (double)cube.memory + threads * pack_bytes;
  out.memory[SAL_BILL_MARKED_OWN] = basins.own;
  out.memory[SAL_BILL_MARKS_ALL] = basins.first;
  out.memory[SAL_BILL_ROWS] = map ? of.rows : 0;
  out.memory[SAL_BILL_PLACES] = map ? of.memory + threads * answer_bytes : 0;
  out.memory[SAL_BILL_CHUNKS] = (double)cube.chunks;
  out.memory[SAL_BILL_BLOCK] = (double)cube.first;
  return out;
}
