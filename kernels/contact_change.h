/** Names of contact_motion.h for sal_model, which has many readers. */
#pragma once

typedef struct sal_contact_motion sal_contact_motion;

/** Have the contacts of an event changed together? */
typedef enum {
  SAL_TOGETHER_NONE,     /* no: they change one by one */
  SAL_TOGETHER_DONE,     /* yes */
  SAL_TOGETHER_UNSOLVED, /* their problem has no solution to its tolerance, and nothing has changed */
} sal_together;
