/** `capture`: impacts are not located; a method of time stepping solves those of each step at its end. */
#include "strategy.h"

const sal_strategy_ops SAL_FN(sal_capture) = {NULL};

#if SAL_LANES == 1
SAL_DECLARE_STRATEGY_OPS(capture)
const sal_strategy sal_strategy_capture = {
    .name = "capture",
    .title = "time stepping over impacts",
    .about =
        "steps of fixed size go over impacts, whose impulses are solved at the end of each step; "
        "for the methods of time stepping alone",
    .source = "Moreau 1988; Jean 1999",
    .captures = true,
    SAL_STRATEGY_OPS(capture),
};
#endif
