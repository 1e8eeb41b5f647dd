/** @file src/app/node_layout.h
 *  Does a run fit into the memory of its nodes, and if not, which layout does?
 */
#ifndef SAL_NODE_LAYOUT_H
#define SAL_NODE_LAYOUT_H

#include "cli_machine.h"
#include "report.h"
#include "sweep.h"

/** "node_bytes" and "node_memory"; where the first is more, a warning and "fitting": the layout that fits, or null.
 *  head: what stands before the warning. */
void sal_node_layout_print(sal_report *report, const char *head, const sal_sweep *sweep,
                           const sal_cli_machine *machine, int n_rank, int threads);

#endif
