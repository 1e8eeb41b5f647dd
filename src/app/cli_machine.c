/** Options that say what a forecast takes the machine to be. */
#include "cli_machine.h"
#include "quantities.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) .offset = offsetof(sal_cli_machine, member)
#define TIME .parse = sal_cli_quantity_time

#define ROWS const sal_cli_option sal_cli_machine_options[]
#define OPTIONS_OF_machine
#include "options.def"

sal_bill_machine sal_cli_machine_of(const sal_cli_machine *o, int n_rank, int threads)
{
  return (sal_bill_machine){.n_rank = n_rank,
                            .threads = threads,
                            .per_node = (int)o->per_node,
                            .bandwidth = o->bandwidth,
                            .network = o->network,
                            .open = o->open,
                            .request = o->request,
                            .startup = o->startup};
}

int sal_cli_machine_crowd(const sal_cli_machine *o, int n_rank)
{
  return n_rank < o->per_node ? n_rank : (int)o->per_node;
}

double sal_cli_machine_turns(const sal_cli_machine *o, int n_rank, int threads)
{
  const double busy = (double)sal_cli_machine_crowd(o, n_rank) * threads;

  return o->cores ? fmax(1, busy / (double)o->cores) : 1;
}

static double number_in(const char *variable)
{
  const char *word = getenv(variable);

  return word ? strtod(word, NULL) : 0;
}

/* SLURM counts what it gives a job in MB, by node or by CPU. */
double sal_cli_machine_memory(const sal_cli_machine *o)
{
  const double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double node = number_in("SLURM_MEM_PER_NODE"),
               cpus = number_in("SLURM_MEM_PER_CPU") * number_in("SLURM_CPUS_ON_NODE");
  const double given = (node > 0 ? node : cpus) * (1 << 20);

  if (o->memory > 0) return o->memory;
  return given > 0 ? fmin(given, all) : all;
}

sal_err sal_cli_quantity_time(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_time = {
      "time", "time", {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}, NAN, false};

  if (strcmp(text, "0") != 0) return sal_quantities_read(where, &unit_of_time, text, value);
  *(double *)value = 0;
  return SAL_OK;
}

sal_err sal_cli_quantity_rate(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_rate = {
      "rate", "rate", {{"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"B/s", 1}}, NAN, false};

  return sal_quantities_read(where, &unit_of_rate, text, value);
}

sal_err sal_cli_quantity_size(const char *where, const char *text, void *value)
{
  static const sal_quantity unit_of_size = {
      "size", "size", {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}, NAN, false};

  return sal_quantities_read(where, &unit_of_size, text, value);
}
