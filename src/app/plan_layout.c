/** Memory of nodes.  The threads of a rank share its data of the sweep, ranks do not. */
#include "base.h"
#include "plan_print.h"
#include "spent_text.h"

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

/* The first one with half as many ranks a node, a quarter, .., and as many more threads each, that fits into the memory of a node;
 * ranks 0: not even one rank a node does. */
static nodes fitting_layout(const sal_plan *p, const nodes *asked)
{
  const int crowd = sal_cli_machine_crowd(p->machine, asked->ranks),
            n_node = (asked->ranks + crowd - 1) / crowd;
  sal_cli_machine at = *p->machine;

  for (at.per_node = crowd / 2; at.per_node >= 1; at.per_node /= 2) {
    const int each = (int)at.per_node, more = (crowd + each - 1) / each;
    const int ranks = n_node * each, threads = asked->threads * more;
    const sal_bill_machine machine = sal_cli_machine_of(&at, ranks, threads);
    const sal_bill_sweep sizes = sal_plan_sizes(p->sweep, &p->packed, ranks, threads, at.map);
    sal_bill bill;
    sal_bill_make(&sizes, &machine, 0, &bill);
    const nodes one = layout_of(&bill, &at, ranks, threads);
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

void sal_plan_layout_print(sal_report *r, const sal_plan *p, const sal_plan_run *run)
{
  const nodes asked = layout_of(&run->bill, p->machine, run->ranks, run->threads);
  const double memory = sal_cli_machine_memory(p->machine);

  sal_json_members(&r->json, "node_bytes %g, node_memory %g", asked.bytes, memory);
  if (asked.bytes <= memory) return;
  const nodes fits = fitting_layout(p, &asked);
  const int crowd = sal_cli_machine_crowd(p->machine, run->ranks);
  put_layout(&r->json, &fits);
  sal_report_say(r, "%-13stoo much: %d rank%s of a node take %s, it has %s", "", crowd,
                 sal_text_plural(crowd), sal_amount_of_bytes(asked.bytes).text,
                 sal_amount_of_bytes(memory).text);
  if (p->machine->memory == 0) sal_report_say(r, " if it is as this machine (--memory)");
  if (fits.ranks)
    sal_report_say(r, "; %d rank%s of %d threads, %d a node, take %s\n", fits.ranks,
                   sal_text_plural(fits.ranks), fits.threads, fits.per_node,
                   sal_amount_of_bytes(fits.bytes).text);
  else
    sal_report_say(r, "; one rank a node does not fit, either\n");
}
