/** @file src/base/report.h
 *  What a command has to say, said once: to people as text, or to programs as one line of JSON.
 *
 *  A fact is a member of `json`, by name and value, and words to people, by sal_report_say.  One of
 *  the two is muted, as the user asked, so that a command gives both without asking which it is.
 */
#ifndef SAL_REPORT_H
#define SAL_REPORT_H

#include "json.h"

typedef struct {
  FILE *text;    /* NULL: muted */
  sal_json json; /* an object is open; muted for text */
} sal_report;

/** Begins a report on `out`. */
void sal_report_begin(sal_report *report, FILE *out, bool json);
/** Closes the object. */
void sal_report_end(sal_report *report);

/** Words to people; the characters that no text may have become '?' (sal_text_clean). */
void sal_report_say(const sal_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A line "  label     words" to people, the words from column `width` on. */
void sal_report_line(const sal_report *report, int width, const char *label, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/** Opens an object with a heading of its own to people: "\nHeading\n". */
void sal_report_section(sal_report *report, const char *name, const char *heading);

#endif
