/** `switch`: the mode is read from the gaps at every evaluation of f; the error controller handles
 *  the change on its own.  Dallas et al., section III ("if...else...end").
 */
#include "strategy.h"

const sal_strategy_ops SAL_FN(sal_switch) = {NULL};

#if SAL_LANES == 1
SAL_DECLARE_STRATEGY_OPS(switch)
const sal_strategy sal_strategy_switch = {
    .name = "switch",
    .title = "if-else in the right-hand side",
    .about = "the contact is an if-else in the equations; step-size control handles it on its own",
    .source = "Dallas, Machairas, Papadopoulos, section III",
    .held = false,
    SAL_STRATEGY_OPS(switch),
};
#endif
