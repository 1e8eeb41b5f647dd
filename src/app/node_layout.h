/** @file src/app/node_layout.h
 *  Does a run fit into the memory of its nodes, and if not, which layout does?
 */
#ifndef SAL_NODE_LAYOUT_H
#define SAL_NODE_LAYOUT_H

#include "cli_machine.h"
#include "report.h"
#include "sweep.h"

/** bytes: memory of the fullest node, that of rank 0. */
typedef struct {
  int ranks, per_node, threads;
  double bytes;
} sal_node_layout;

/** Layout of a run on n_rank ranks of `threads` threads. */
sal_node_layout sal_node_layout_of(const sal_sweep *sweep, const sal_cli_machine *machine,
                                   int n_rank, int threads);

/** The first one with half as many ranks a node, a quarter, .., and as many more threads each, that fits into the memory of a node;
 *  ranks 0: not even one rank a node does. */
sal_node_layout sal_node_layout_fit(const sal_sweep *sweep, const sal_cli_machine *machine,
                                    int n_rank, int threads);

/** "node_bytes" and "node_memory"; where the first is more, a warning and "fitting": the layout that fits, or null.
 *  head: what stands before the warning. */
void sal_node_layout_print(sal_report *report, const char *head, const sal_sweep *sweep,
                           const sal_cli_machine *machine, int n_rank, int threads);

#endif
