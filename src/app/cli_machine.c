/** @file src/app/cli_machine.c
 *  Options that say what a forecast takes the machine to be.
 */
#include "cli_machine.h"
#include "cli_quantity.h"

#define AT(member) .offset = offsetof(sal_cli_machine, member)
#define TIME .parse = sal_cli_quantity_time

const sal_cli_option sal_cli_machine_options[] = {
    {"ranks-per-node", 'n', "N", "ranks that share a node (64)", SAL_CLI_WHOLE, AT(per_node),
     .least = 1, .most = SAL_CLI_MOST_RANKS},
    {"bandwidth", 0, "RATE", "of the disk that all share (1GB/s)", SAL_CLI_PARSED, AT(bandwidth),
     .parse = sal_cli_quantity_rate},
    {"open", 0, "TIME",
     "that a file takes to be opened, made or removed, one after the other (50us)", SAL_CLI_PARSED,
     AT(open), TIME},
    {"startup", 0, "TIME",
     "that MPI takes to start a node; more of them follow along a tree (0.5s)", SAL_CLI_PARSED,
     AT(startup), TIME},
    {"no-map", 0, NULL, "the run leaves out its map", SAL_CLI_UNSET, AT(map)},
    {.help = NULL}};

sal_bill_machine sal_cli_machine_of(const sal_cli_machine *o, int n_rank)
{
  return (sal_bill_machine){.n_rank = n_rank,
                            .per_node = (int)o->per_node,
                            .bandwidth = o->bandwidth,
                            .open = o->open,
                            .startup = o->startup};
}
