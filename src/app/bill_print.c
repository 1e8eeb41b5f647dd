/** @file src/app/bill_print.c
 *  The table of phases.
 */
#include "bill_print.h"
#include "amount.h"
#include <math.h>

static bool is_idle(const sal_bill_phase *p)
{
  return p->seconds == 0 && p->bytes == 0 && p->opens == 0 && p->moved == 0;
}

static void print_row(const sal_report *r, const char *name, const sal_bill_phase *p)
{
  sal_report_say(r, "  %-9s%9s%9s%9.0f%9.0f%9s%10s%10s\n", name,
                 sal_amount_of_seconds(p->seconds).text,
                 sal_amount_of_bytes(p->bytes > 0 ? p->bytes : NAN).text, p->requests, p->opens,
                 sal_amount_of_bytes(p->moved > 0 ? p->moved : NAN).text,
                 sal_amount_of_bytes(p->first).text, sal_amount_of_bytes(p->others).text);
}

void sal_bill_print(sal_report *r, const sal_bill *b)
{
  sal_report_say(r, "  %-9s%9s%9s%9s%9s%9s%10s%10s\n", "phase", "time", "bytes", "requests",
                 "files", "messages", "rank 0", "others");
  for (int k = 0; k < SAL_N_PHASE; ++k)
    if (!is_idle(&b->phase[k])) print_row(r, sal_bill_phases[k].name, &b->phase[k]);
  const sal_bill_phase all = sal_bill_sum(b);
  print_row(r, "all", &all);
  sal_bill_json(&r->json, b);
}

void sal_bill_json(sal_json *j, const sal_bill *b)
{
  sal_json_array(j, "phases");
  for (int k = 0; k < SAL_N_PHASE; ++k) {
    const sal_bill_phase *p = &b->phase[k];
    sal_json_object(j, NULL);
    sal_json_text(j, "name", sal_bill_phases[k].name);
    sal_json_number(j, "seconds", p->seconds);
    sal_json_number(j, "bytes", p->bytes);
    sal_json_number(j, "files", p->opens);
    sal_json_number(j, "message_bytes", p->moved);
    sal_json_number(j, "requests", p->requests);
    sal_json_number(j, "rank0_bytes", p->first);
    sal_json_number(j, "other_bytes", p->others);
    sal_json_end(j);
  }
  sal_json_end(j);
}
