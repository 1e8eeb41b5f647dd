/** From the graph to programs of lane instructions. */
#pragma once

#include "err.h"
#include "graph.h"

/** Contents of the first registers of a program: words of the run, states, discrete states, the time, slopes.
 *  word [n_known]: for each of the graph's first nodes 1 + the word that holds its value; 0: it is computed.
 *  NULL where all are. */
typedef struct {
  int n_word, n_continuous, n_discrete;
  int n_slope; /* 0: n_continuous */
  const int *word;
  int n_known;
} sal_compile_layout;

/** A program whose results are the roots [n_root], in their order, which sal_compile_free frees.  NULL when
 *  all went well, else a sentence about what it needs too much of, and *out is empty.  Operations that do
 *  not bear on the roots are left out; registers are used again once their value is no longer needed. */
const char *sal_compile_program(const sal_graph *graph, const sal_compile_layout *layout,
                                int n_root, const int root[], sal_program *out);
void sal_compile_free(sal_program *program);

/** The largest parts of the roots [n_root] that are numbers made of words alone, which need to be computed
 *  only once a run: part [most]; gives their number. */
int sal_compile_once(const sal_graph *graph, int n_root, const int root[], int most, int part[]);
