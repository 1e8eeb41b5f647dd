/** Options of a forecast: the machine, and quantities with units. */
#pragma once

#include "bill.h"
#include "cli_option.h"

typedef struct {
  int64_t per_node, cores;       /* cores 0: each thread has one */
  double bandwidth, network;     /* [B/s] */
  double open, request, startup; /* [s] */
  double latency;                /* of a message between nodes [s] */
  double memory;                 /* of a node [B]; 0: that of this machine */
  bool map;
} sal_cli_machine;

/** A local disk and a start like those of one machine; of a cluster its own figures should be given. */
#define SAL_CLI_MACHINE_PRESETS                                                                    \
  .per_node = 64, .bandwidth = 1e9, .network = 1e10, .open = 5e-5, .startup = 0.5,                 \
  .latency = 2e-6, .map = true

enum { SAL_CLI_MOST_RANKS = 1 << 20 };

extern const sal_cli_option sal_cli_machine_options[];

sal_bill_machine sal_cli_machine_of(const sal_cli_machine *options, int n_rank, int threads);

int sal_cli_machine_crowd(const sal_cli_machine *options, int n_rank);
/** How many threads take turns on a core of the fullest node: 1 or more. */
double sal_cli_machine_turns(const sal_cli_machine *options, int n_rank, int threads);
/** Memory of a node [B]. */
double sal_cli_machine_memory(const sal_cli_machine *options);

/* Options whose value has a unit: parse functions for their rows, each for a double in base units. */

/** "2us" in seconds; 0 needs no unit. */
sal_cli_parser sal_cli_quantity_time;
/** "1GB/s" in bytes per second. */
sal_cli_parser sal_cli_quantity_rate;
/** "256GB" in bytes. */
sal_cli_parser sal_cli_quantity_size;
