/** The model of the schedule against what can be reckoned by hand, and against bounds. */
#include "memory.h"
#include "sal_test.h"
#include "sim.h"
#include <math.h>
#include <string.h>

enum { MOST = 20000 };

/* One node, nothing takes time but the tiles; the leader looks after its queue all the time. */
static const sal_sim_machine ideal = {.n_rank = 4, .per_node = 64, .pieces = 1000000, .most = 64};

static uint64_t seed;

/* xorshift64*: in [0, 1) */
static double drawn(void)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return (double)((seed * 2685821657736338717U) >> 11) / 9007199254740992.0;
}

static sal_sim play(const sal_sim_machine *machine, int n, const double cost[])
{
  static sal_tile tile[MOST];
  sal_sim out;

  for (int i = 0; i < n; ++i) tile[i] = (sal_tile){i, 1};
  CU_ASSERT_FATAL(sal_sim_tiles(machine, n, tile, cost, &out) == SAL_OK);
  CU_ASSERT(out.tiles == n && out.cells == n);
  return out;
}

static sal_sim play_equal(const sal_sim_machine *machine, int n)
{
  static double cost[MOST];

  for (int i = 0; i < n; ++i) cost[i] = 1;
  return play(machine, n, cost);
}

static double sum_lost(const sal_sim *out)
{
  double sum = 0;

  for (int k = 0; k < SAL_N_LOSS; ++k) sum += out->lost[k];
  return sum;
}

/* ---- one node ---- */

static void equal_tiles_leave_a_known_remainder(void)
{
  for (int ranks = 1; ranks <= 64; ranks = 2 * ranks + 1)
    for (int n = 1; n <= 500; n += 7) {
      sal_sim_machine machine = ideal;
      machine.n_rank = ranks;
      const sal_sim out = play_equal(&machine, n);
      const int rounds = (n + ranks - 1) / ranks;
      const double missing = (double)rounds * ranks - n;
      CU_ASSERT(out.busy == n && out.n_node == 1 && out.messages == 0);
      CU_ASSERT(out.wall >= rounds && out.wall < rounds + 1e-4);
      CU_ASSERT_DOUBLE_EQUAL(sum_lost(&out), missing, 1e-4 * ranks);
      CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_TAIL], missing, 1e-4 * ranks);
      if (ranks == 1) CU_ASSERT(out.wall == n && sum_lost(&out) == 0);
    }
}

static void a_giant_bounds_the_run(void)
{
  double cost[200] = {[70] = 1000};
  sal_sim out;

  out = play(&ideal, 1, (double[]){1000});
  CU_ASSERT(out.wall == 1000 && out.heaviest == 1000 && out.lost[SAL_SIM_LOSS_TAIL] == 3000);
  for (int i = 0; i < 200; ++i)
    if (i != 70) cost[i] = 1;
  out = play(&ideal, 200, cost); /* nothing announces it: it is met before the others are over */
  CU_ASSERT(out.busy == 1199 && out.heaviest == 1000);
  CU_ASSERT(out.wall >= 1000 && out.wall <= 1000 + 199.0 / 4);
}

static void the_counter_bounds_the_rate(void)
{
  sal_sim_machine machine = ideal;

  machine.n_rank = 64;
  machine.counter = 1;
  /* never idle: each tile, and each rank once more */
  CU_ASSERT(play_equal(&machine, 1000).wall == 1000 + 64);
  machine.counter = 0.5; /* 64 ranks ask 64 times a second, 2 can be served */
  CU_ASSERT(play_equal(&machine, 1000).wall == 0.5 * (1000 + 64));
  machine.n_rank = 1; /* no other rank: in front of each tile, and once at the end */
  sal_sim out = play_equal(&machine, 1000);
  CU_ASSERT(out.wall == 1000 + 0.5 * 1001 && out.lost[SAL_SIM_LOSS_COUNTER] == 0.5 * 1001);
}

static void the_disk_takes_its_time(void)
{
  sal_sim_machine machine = ideal;

  machine.n_rank = 1;
  machine.journal = 125;
  CU_ASSERT(play_equal(&machine, 8).wall == 8); /* no bandwidth: nothing is written */
  machine.bandwidth = 500;                      /* a quarter of a second for each cell */
  sal_sim out = play_equal(&machine, 8);
  CU_ASSERT(out.wall == 8 + 2 && out.lost[SAL_SIM_LOSS_JOURNAL] == 2 &&
            out.lost[SAL_SIM_LOSS_LEAVE] == 0);
  machine.n_rank = 4; /* who finishes at the same time writes in turn */
  out = play_equal(&machine, 4);
  CU_ASSERT_DOUBLE_EQUAL(out.computed, 2, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_JOURNAL], 0.25 * (1 + 2 + 3 + 4), 1e-4);
}

/* Cells in memory are written while others compute: only the last cell is waited for.  A disk that
 * is slower than the cells is waited for all the same, then or at the end. */
static void memory_hides_the_disk(void)
{
  sal_sim_machine machine = ideal;

  machine.n_rank = 1;
  machine.journal = 125;
  machine.bandwidth = 500;
  machine.buffer = 125;
  sal_sim out = play_equal(&machine, 8);
  CU_ASSERT(out.computed == 8 && out.wall == 8.25 && out.lost[SAL_SIM_LOSS_JOURNAL] == 0.25);
  machine.bandwidth = 62.5; /* two seconds for a cell, one of them late */
  out = play_equal(&machine, 8);
  CU_ASSERT(out.computed == 1 + 2 * 7 && out.wall == 1 + 2 * 8);
  machine.buffer = 1e6;
  out = play_equal(&machine, 8);
  CU_ASSERT(out.computed == 8 && out.wall == 1 + 2 * 8 && out.lost[SAL_SIM_LOSS_JOURNAL] == 9);
}

/* ---- two nodes of one rank and two tiles ---- */

static const sal_sim_machine two = {
    .n_rank = 2, .per_node = 1, .pieces = 4, .most = 64, .latency = 0.1};

/* The wish comes at 0.1, is looked at after the first piece, and the tile comes at 0.35.  To leave
 * takes a message, its answer, and one turn of the barrier. */
static void a_chunk_waits_for_a_piece_and_two_latencies(void)
{
  sal_sim out = play_equal(&two, 2);

  CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_CHUNKS], 0.35, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(out.computed, 1.35, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(out.wall, 1.35 + 0.3, 1e-12);
  CU_ASSERT(out.messages >= 3 && out.n_node == 2);
  sal_sim_machine machine = two;
  machine.latency = 0; /* the wish is there as soon as the first tile is begun */
  CU_ASSERT(play_equal(&machine, 2).wall == 1);
  machine = two;
  machine.pieces =
      1; /* the first leader looks when its tile is finished, at others' wishes first */
  CU_ASSERT_DOUBLE_EQUAL(play_equal(&machine, 2).computed, 1 + 0.1 + 1, 1e-12);
}

static void who_naps_looks_late(void)
{
  sal_sim_machine machine = two;

  machine.nap = 0.2;
  const sal_sim out = play_equal(&machine, 2);
  CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_CHUNKS], 0.4, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(out.computed, 1.4, 1e-12);
}

/* A chunk of its own, one for the other, and to each that there is no more: 0.05 each time. */
static void the_first_leader_pays_for_its_answers(void)
{
  sal_sim_machine machine = two;

  machine.answer = 0.05;
  const sal_sim out = play_equal(&machine, 2);
  CU_ASSERT_DOUBLE_EQUAL(out.computed, 1.45, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_ANSWERS], 0.20, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_CHUNKS], 0.45, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(out.lost[SAL_SIM_LOSS_TAIL], 0.25, 1e-12);
}

/* ---- anything ---- */

/* Some machine and some costs, whose sum is exact. */
static int draw_case(sal_sim_machine *machine, double cost[])
{
  const int n = 1 + (int)(3000 * drawn() * drawn());

  *machine = (sal_sim_machine){.n_rank = 1 + (int)(300 * drawn() * drawn()),
                               .per_node = 1 + (int)(40 * drawn()),
                               .pieces = 1 + (int)(40 * drawn()),
                               .latency = drawn() < 0.3 ? 0 : 0.1 * drawn(),
                               .counter = drawn() < 0.3 ? 0 : 0.01 * drawn(),
                               .answer = drawn() < 0.3 ? 0 : 0.01 * drawn(),
                               .order = drawn() < 0.3 ? 0 : 1e-5 * drawn(),
                               .nap = drawn() < 0.3 ? 0 : 0.1 * drawn(),
                               .bandwidth = drawn() < 0.3 ? 0 : 1e3,
                               .journal = drawn() < 0.5 ? 0 : 10,
                               .buffer = drawn() < 0.5 ? 0 : 100};
  for (int i = 0; i < n; ++i) cost[i] = floor(drawn() < 0.01 ? 300 * drawn() : 8 * drawn()) / 8;
  return n;
}

static void no_time_is_lost_and_no_bound_is_broken(void)
{
  static double cost[MOST];
  sal_sim_machine machine;
  double lost[SAL_N_LOSS] = {0};

  seed = 5;
  for (int k = 0; k < 1000; ++k) {
    const int n = draw_case(&machine, cost);
    const sal_sim out = play(&machine, n, cost), again = play(&machine, n, cost);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += cost[i];
    const double all = out.wall * machine.n_rank;
    CU_ASSERT(memcmp(&out, &again, sizeof out) == 0);
    CU_ASSERT(out.busy == sum);
    CU_ASSERT_DOUBLE_EQUAL(out.busy + sum_lost(&out), all, 1e-10 * all);
    CU_ASSERT(out.computed >= (1 - 1e-12) * fmax(sum / machine.n_rank, out.heaviest));
    CU_ASSERT(out.wall >= out.computed);
    for (int i = 0; i < SAL_N_LOSS; ++i) {
      CU_ASSERT(out.lost[i] >= -1e-10 * all);
      lost[i] += out.lost[i];
    }
  }
  for (int i = 0; i < SAL_N_LOSS; ++i) CU_ASSERT(lost[i] > 1 || i == SAL_SIM_LOSS_TURNS);
}

/* Three threads a core: three times the wall time, two thirds of it spent waiting for the core. */
static void threads_take_turns(void)
{
  double seconds[500];
  sal_sim_machine machine = ideal;
  sal_sim alone, crowded;

  for (int i = 0; i < 500; ++i) seconds[i] = i % 5;
  machine.n_rank = 16;
  CU_ASSERT_FATAL(sal_sim_cells(&machine, 500, seconds, 1, &alone) == SAL_OK);
  machine.turns = 3;
  CU_ASSERT_FATAL(sal_sim_cells(&machine, 500, seconds, 1, &crowded) == SAL_OK);
  CU_ASSERT(alone.lost[SAL_SIM_LOSS_TURNS] == 0 && crowded.busy == 1000);
  CU_ASSERT_DOUBLE_EQUAL(crowded.lost[SAL_SIM_LOSS_TURNS], 2000, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(crowded.wall, 3 * alone.wall, 0.01 * alone.wall);
  CU_ASSERT_DOUBLE_EQUAL(crowded.busy + sum_lost(&crowded), 16 * crowded.wall, 1e-9);
}

/* Scaled cells take scaled time, and keep all ranks busy. */
static void cells_are_cut_and_scaled(void)
{
  double seconds[500];
  sal_sim_machine machine = ideal;
  sal_sim one, many;

  for (int i = 0; i < 500; ++i) seconds[i] = i % 5;
  machine.n_rank = 16;
  CU_ASSERT_FATAL(sal_sim_cells(&machine, 500, seconds, 1, &one) == SAL_OK);
  CU_ASSERT_FATAL(sal_sim_cells(&machine, 500, seconds, 40, &many) == SAL_OK);
  CU_ASSERT(one.cells == 500 && one.busy == 1000 && many.cells == 20000 && many.busy == 40000);
  CU_ASSERT(one.tiles > 32 && many.tiles > one.tiles);
  const double left = 1 - one.busy / (16 * one.wall), less = 1 - many.busy / (16 * many.wall);
  CU_ASSERT(left > 0.01 && left < 0.3 && less < 0.01);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN("replay", NULL,
              {"equal tiles leave a known remainder", equal_tiles_leave_a_known_remainder},
              {"an outlier run bounds the run", a_giant_bounds_the_run},
              {"the counter bounds the rate", the_counter_bounds_the_rate},
              {"the disk takes its time", the_disk_takes_its_time},
              {"memory hides the disk", memory_hides_the_disk},
              {"a chunk waits for a piece and two latencies",
               a_chunk_waits_for_a_piece_and_two_latencies},
              {"who naps looks late", who_naps_looks_late},
              {"the first leader pays for its answers", the_first_leader_pays_for_its_answers},
              {"no time is lost and no bound is broken", no_time_is_lost_and_no_bound_is_broken},
              {"threads take turns", threads_take_turns},
              {"cells are cut and scaled", cells_are_cut_and_scaled},
              {"memory comes back", memory_comes_back})
