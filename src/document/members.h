/** Families in a text of a model: `for: i in 1..n` written out, member by member.
 *
 *      counts: {n: {preset: 8}}
 *      coordinates: {x: {for: i in 1..n, preset: 0.1 * i, rate: v}}        x(1), v(1), .. x(8), v(8)
 *      let: {pull: {for: i in 1..n - 1, is: k * (x(i + 1) - x(i))}}         pull(1) .. pull(7)
 *      energy: sum(i in 1..n, m / 2 * v(i)^2)
 *
 *  A member's name is NAME(NUMBER).  Bounds and indices are made of numbers, counts, indices and + - * / ( ).
 */
#pragma once

#include "document.h"

/** Writes out all families; count [number of counts] in the text's order, NULL: their presets.  The lines of members
 *  are those of their family.  Fails on a count or a bound that is not a whole number, and on a member that does not exist. */
sal_err sal_members_expand(sal_document *document, const double count[]);
/** Ranks, among `names` (NULL ends them), of what the text of a node names: one, or all members of a family of that
 *  name, x of x(1), x(2), ..  rank [at most as many as names], *n > 0.  kind: as for sal_value_rank. */
sal_err sal_members_ranks(const sal_document *document, int node, const char *key, const char *kind,
                          const char *const names[], int rank[], int *n);
