/** The bill of a run: what each phase takes, and what it follows. */
#include "bill.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

static const sal_bill_machine machine = {.n_rank = 256,
                                         .per_node = 64,
                                         .threads = 1,
                                         .bandwidth = 1e9,
                                         .network = 1e10,
                                         .open = 1e-3,
                                         .startup = 0.5};

/* Every size is another one, so that no two can be mistaken for each other. */
static const sal_bill_sweep sweep = {.records = 5000,
                                     .rounds = 3,
                                     .pieces = 50,
                                     .held = 0.25,
                                     .answers = 512,
                                     .bytes = {[SAL_BILL_JOURNAL] = 7e9,
                                               [SAL_BILL_FRAME] = 1e8,
                                               [SAL_BILL_METRICS] = 5e9,
                                               [SAL_BILL_INDEX] = 3e8,
                                               [SAL_BILL_NEIGHBOURS] = 4e9,
                                               [SAL_BILL_MAP] = 2e8},
                                     .memory = {[SAL_BILL_PROGRAM] = 1e7,
                                                [SAL_BILL_TILE] = 2e7,
                                                [SAL_BILL_ROUND] = 4e7,
                                                [SAL_BILL_HELD] = 3e6,
                                                [SAL_BILL_CHUNKS] = 5e6,
                                                [SAL_BILL_ROWS] = 6e6,
                                                [SAL_BILL_PLACES] = 5.8e7,
                                                [SAL_BILL_BLOCK] = 1.6e7}};

static sal_bill make(const sal_bill_sweep *s, const sal_bill_machine *m, double compute)
{
  sal_bill b;

  sal_bill_make(s, m, compute, &b);
  return b;
}

static double seconds(const sal_bill *b, int phase) { return b->phase[phase].seconds; }

/* Without a processor's work: machines that differ in one thing alone. */
static double change(int phase, const sal_bill_machine *to)
{
  const sal_bill a = make(&sweep, &machine, 100), b = make(&sweep, to, 100);

  return seconds(&b, phase) - seconds(&a, phase);
}

static void the_sum_is_that_of_the_phases(void)
{
  const sal_bill b = make(&sweep, &machine, 100);
  const sal_bill_phase all = sal_bill_sum(&b);
  sal_bill_phase sum = {0};

  for (int k = 0; k < SAL_N_PHASE; ++k) {
    CU_ASSERT(seconds(&b, k) >= 0 && sal_bill_phases[k]);
    sum.seconds += seconds(&b, k);
    sum.bytes += b.phase[k].bytes;
    sum.opens += b.phase[k].opens;
  }
  CU_ASSERT_DOUBLE_EQUAL(all.seconds, sum.seconds, 1e-9);
  CU_ASSERT(all.bytes == sum.bytes && all.opens == sum.opens);
  CU_ASSERT(all.bytes == 1.75 * 7e9 + 1e8 + 5e9 + 2e8); /* a quarter of the journals is not read */
  /* Bytes take their time but for those of journals, which are written while cells are computed; and there are a start of 3 turns, and opens. */
  CU_ASSERT(seconds(&b, SAL_PHASE_COMPUTE) == 100 && all.seconds > 100 + all.bytes / 1e9 - 7 + 1.5);
  CU_ASSERT(b.disk == 1e8 + 5e9 + 2e8 && b.peak == b.disk + 7e9);
}

/* Answers of the map take 2 s of each rank. */
static void threads_share_the_work(void)
{
  sal_bill_machine many = machine;

  many.threads = 4;
  CU_ASSERT(change(SAL_PHASE_MAP, &many) < -0.7 * 2 && change(SAL_PHASE_MAP, &many) > -0.75 * 2);
  CU_ASSERT(change(SAL_PHASE_WRITE, &many) < -0.6 * 5e9 * 60e-9 / 256);
  CU_ASSERT_EQUAL(change(SAL_PHASE_START, &many), 0);
}

static void bytes_pass_the_disk(void)
{
  static const struct {
    int phase;
    double bytes;
  } passes[] = {{SAL_PHASE_WRITE, 1e8 + 0.75 * 7e9 + 5e9}, {SAL_PHASE_MAP, 2e8}};
  sal_bill_machine slow = machine;

  slow.bandwidth = 5e8;
  for (size_t k = 0; k < sizeof passes / sizeof *passes; ++k)
    CU_ASSERT_DOUBLE_EQUAL(change(passes[k].phase, &slow), passes[k].bytes * 1e-9, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(change(SAL_PHASE_JOURNAL, &slow), 0, 1e-9); /* 14 s of 100 */
  slow.bandwidth = 5e7;
  CU_ASSERT_DOUBLE_EQUAL(change(SAL_PHASE_JOURNAL, &slow), 140 - 100, 1e-9);
}

/* Metrics that are written early pass the disk beside the journals, while cells are computed. */
static void early_metrics_pass_the_disk_while_cells_are_computed(void)
{
  sal_bill_sweep early = sweep;
  early.early = 0.75;
  const sal_bill b = make(&early, &machine, 100), none = make(&sweep, &machine, 100);
  const double before = seconds(&none, SAL_PHASE_WRITE) - seconds(&b, SAL_PHASE_WRITE),
               worked = 0.75 * 5e9 * 60e-9 / 256;

  CU_ASSERT_DOUBLE_EQUAL(before, 0.75 * 5 + worked, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(seconds(&b, SAL_PHASE_JOURNAL) - seconds(&none, SAL_PHASE_JOURNAL), worked,
                         1e-9);
  CU_ASSERT_EQUAL(sal_bill_sum(&b).bytes, sal_bill_sum(&none).bytes);
  const sal_bill slow = make(&early, &machine, 2), plain = make(&sweep, &machine, 2);
  CU_ASSERT_DOUBLE_EQUAL(sal_bill_sum(&slow).seconds, sal_bill_sum(&plain).seconds, 1e-9);
}

static void files_are_opened_one_after_the_other(void)
{
  static const struct {
    int phase;
    double files;
  } opened[] = {{SAL_PHASE_JOURNAL, 4 + 1},              /* by each node, and a folder */
                {SAL_PHASE_WRITE, 12 + 256 + 4 + 4 + 1}, /* frame, journals, cube; removed */
                {SAL_PHASE_MAP, 4}};
  sal_bill_machine slow = machine;
  sal_bill_sweep kept = sweep;

  slow.open = 2e-3;
  for (size_t k = 0; k < sizeof opened / sizeof *opened; ++k) {
    CU_ASSERT_DOUBLE_EQUAL(change(opened[k].phase, &slow), 1e-3 * opened[k].files, 1e-9);
    CU_ASSERT(make(&sweep, &slow, 1).phase[opened[k].phase].opens == opened[k].files);
  }
  kept.held = 1;
  CU_ASSERT(make(&kept, &machine, 1).phase[SAL_PHASE_WRITE].opens == 12 + 4 + 4 + 1);
  CU_ASSERT(make(&kept, &machine, 1).phase[SAL_PHASE_WRITE].bytes == 1e8 + 5e9);
}

/* One for each record, rank or round, or by bytes. */
static void requests_are_counted(void)
{
  const sal_bill b = make(&sweep, &machine, 100);

  CU_ASSERT(b.phase[SAL_PHASE_JOURNAL].requests == 4 * 5000);
  CU_ASSERT(b.phase[SAL_PHASE_WRITE].requests == 1e8 / 2e5 + 2 * 0.75 * 5000 + 256.0 * 3 * 50);
}

/* But for what stays with its rank, over the links of all nodes. */
static void messages_pass_the_network(void)
{
  const sal_bill b = make(&sweep, &machine, 100);
  sal_bill_machine slow = machine, alone = machine;

  slow.network = 5e9;
  CU_ASSERT_DOUBLE_EQUAL(b.phase[SAL_PHASE_WRITE].moved, 7e9 * 255 / 256, 1);
  CU_ASSERT_DOUBLE_EQUAL(b.phase[SAL_PHASE_MAP].moved, 4e9 * 255 / 256, 1);
  CU_ASSERT_DOUBLE_EQUAL(sal_bill_sum(&b).moved, 11e9 * 255 / 256, 1);
  CU_ASSERT_DOUBLE_EQUAL(change(SAL_PHASE_WRITE, &slow), 7e9 * 255 / 256 * 1e-10 / 4, 1e-9);
  alone.n_rank = 1;
  CU_ASSERT(make(&sweep, &alone, 1).phase[SAL_PHASE_WRITE].moved == 0);
}

/* Work of the first rank alone takes as long on any number of ranks. */
static void the_index_is_written_by_one_rank(void)
{
  sal_bill_sweep none = sweep;

  none.bytes[SAL_BILL_INDEX] = 0;
  const double with = make(&sweep, &machine, 1).phase[SAL_PHASE_WRITE].seconds;
  const double without = make(&none, &machine, 1).phase[SAL_PHASE_WRITE].seconds;
  CU_ASSERT_DOUBLE_EQUAL(with - without, 3e8 * 1e-9, 1e-9);
}

/* On a disk and a server of metadata that take no time. */
static void ranks_share_the_work_of_processors(void)
{
  sal_bill_machine one = machine, many = machine;

  one.bandwidth = many.bandwidth = INFINITY;
  one.network = many.network = INFINITY;
  one.open = many.open = 0;
  one.n_rank = 1;
  sal_bill_sweep shared = sweep;
  shared.bytes[SAL_BILL_INDEX] = 0;
  const sal_bill a = make(&shared, &one, 100), b = make(&shared, &many, 100);
  for (int k = SAL_PHASE_WRITE; k <= SAL_PHASE_MAP; ++k)
    CU_ASSERT(seconds(&a, k) > 0.1 &&
              fabs(seconds(&a, k) / seconds(&b, k) / machine.n_rank - 1) < 1e-9);
  CU_ASSERT(seconds(&a, SAL_PHASE_MAP) > 512); /* the answers */
}

static void nodes_are_started_along_a_tree(void)
{
  sal_bill_machine m = machine;
  const int ranks[] = {1, 64, 65, 128, 129, 65536};
  const double turns[] = {1, 1, 2, 2, 3, 11};

  for (int k = 0; k < 6; ++k) {
    m.n_rank = ranks[k];
    const sal_bill b = make(&sweep, &m, 1);
    CU_ASSERT(seconds(&b, SAL_PHASE_START) == 0.5 * turns[k]);
  }
}

static void memory_is_that_of_the_phase(void)
{
  const sal_bill b = make(&sweep, &machine, 100);
  const sal_bill_phase *all = b.phase, sum = sal_bill_sum(&b);
  const double list = all[SAL_PHASE_START].others - 1e7,
               schedule = all[SAL_PHASE_COMPUTE].others - (1e7 + 2.3e7 + list);

  CU_ASSERT(list > 8 * 5000.0 && list < 1000 * 5000.0);         /* of records */
  CU_ASSERT(schedule > 8 * 5000.0 && schedule < 1000 * 5000.0); /* of tiles; it is gone then */
  CU_ASSERT(all[SAL_PHASE_COMPUTE].first > 1e7 + 2.3e7 + list + 2 * schedule);
  CU_ASSERT_DOUBLE_EQUAL(all[SAL_PHASE_WRITE].others, 1e7 + 4.9e7 + list, 1);
  CU_ASSERT_DOUBLE_EQUAL(all[SAL_PHASE_MAP].others, 1e7 + 6.4e7 + list, 1);
  CU_ASSERT_DOUBLE_EQUAL(all[SAL_PHASE_WRITE].first, 1e7 + 5.4e7 + list, 1); /* its chunks */
  CU_ASSERT(sum.others == all[SAL_PHASE_MAP].others && sum.first == all[SAL_PHASE_MAP].first);
}

static void what_is_not_made_costs_nothing(void)
{
  sal_bill_sweep plain = sweep;
  plain.bytes[SAL_BILL_MAP] = 0;
  const sal_bill b = make(&plain, &machine, 100);
  const sal_bill_phase nothing = {0};
  sal_bill_sweep kept = sweep;
  kept.bytes[SAL_BILL_STORED] = 3e9;
  kept.again = 0.25;
  const sal_bill with = make(&kept, &machine, 100);

  CU_ASSERT(memcmp(&b.phase[SAL_PHASE_MAP], &nothing, sizeof nothing) == 0);
  const double more = seconds(&with, SAL_PHASE_WRITE) - seconds(&b, SAL_PHASE_WRITE);
  CU_ASSERT(more > 3 + 25 && more < 3.2 + 25);
  CU_ASSERT(with.disk == make(&sweep, &machine, 1).disk + 3e9);
}

/* Records are read once more, and the first rank compares the marks of all cells. */
static void basins_take_a_reading_and_the_first_rank(void)
{
  sal_bill_sweep basins = sweep;
  basins.bytes[SAL_BILL_MARKED] = 7e9;
  basins.bytes[SAL_BILL_MARKS] = 2e9;
  basins.memory[SAL_BILL_MARKED_OWN] = 9e7;
  basins.memory[SAL_BILL_MARKS_ALL] = 3e9;
  const sal_bill b = make(&basins, &machine, 100), none = make(&sweep, &machine, 100);
  const sal_bill_phase *with = &b.phase[SAL_PHASE_WRITE], *without = &none.phase[SAL_PHASE_WRITE];

  CU_ASSERT(with->bytes == without->bytes + 0.75 * 7e9);
  CU_ASSERT(with->opens == without->opens + 256);
  CU_ASSERT_DOUBLE_EQUAL(with->moved - without->moved, 2e9 * 255 / 256, 1);
  const double reading = 0.75 * 7 + 256e-3 + 2 * 255. / 256 / 10 / 4;
  const double more = with->seconds - without->seconds - reading;
  CU_ASSERT(more > 2e9 * 1e-9 && more < 2e9 * 1e-7);
  CU_ASSERT_DOUBLE_EQUAL(with->others - b.phase[SAL_PHASE_START].others, 4e7 + 3e6 + 9e7, 1);
  CU_ASSERT_DOUBLE_EQUAL(
      with->first - with->others,
      none.phase[SAL_PHASE_START].first - none.phase[SAL_PHASE_START].others + 3e9, 1);
  CU_ASSERT(b.disk == none.disk && b.peak == none.peak);
}

SAL_TEST_MAIN("bill", NULL, {"threads share the work", threads_share_the_work},
              {"the sum is that of the phases", the_sum_is_that_of_the_phases},
              {"bytes pass the disk as often as they should", bytes_pass_the_disk},
              {"early metrics pass the disk while cells are computed",
               early_metrics_pass_the_disk_while_cells_are_computed},
              {"files are opened one after the other", files_are_opened_one_after_the_other},
              {"requests are counted", requests_are_counted},
              {"messages pass the network", messages_pass_the_network},
              {"the index is written by one rank", the_index_is_written_by_one_rank},
              {"ranks share the work of processors", ranks_share_the_work_of_processors},
              {"nodes are started along a tree", nodes_are_started_along_a_tree},
              {"memory is that of the phase", memory_is_that_of_the_phase},
              {"basins take a reading, and the first rank",
               basins_take_a_reading_and_the_first_rank},
              {"what is not made costs nothing", what_is_not_made_costs_nothing})
