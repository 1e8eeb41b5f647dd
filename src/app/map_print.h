/** Prints about cubes: a map in a few lines, a refinement, an evaluation of answers, a description.
 */
#pragma once

#include "cube_info.h"
#include "journal.h"
#include "map_cube.h"
#include "map_summary.h"
#include "regret_run.h"
#include "report.h"

/** For each question the share of cells in which a solver with a strategy wins, the largest first
 *  (as text three of them), and the median of the margins. */
void sal_map_print(sal_report *report, const sal_performance_cube *cube, const sal_map *questions,
                   const sal_map_summary *summary, const sal_map_captured *captured);

/* ---- The cells that a refinement would add, for people. ---- */

/** Prints the cells of a sweep from number `first` on, from 0: what its axes vary. */
void sal_refine_print(FILE *out, const sal_sweep *sweep, int64_t first);

/* ---- Answers of a map at points, as lines of JSON (cmd_regret.c has the names). ---- */

/** The first line, and one for each point. */
void sal_regret_print_question(FILE *out, const sal_regret_question *question);
void sal_regret_print_point(FILE *out, const sal_regret_question *question,
                            const sal_regret_point *point);

/* ---- Contents of a cube, or of the journals of a run. ---- */

void sal_info_print_cube(sal_report *report, const char *path, const sal_cube_info *info);
void sal_info_print_journal(sal_report *report, const char *folder, const sal_journal_info *info);
