/** The output of a command, written once: for people as text, or for programs as one line of JSON.
 *
 *  A fact is a member of `json`, by name and value, and words to people, by sal_report_say.  One of
 *  the two is muted, as the user asked, so that a command gives both without asking which it is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A JSON text written as it comes: one line, with commas where they belong.
 *
 * JSON has no infinity and no NaN: these are null.  Other numbers have the fewest digits that read
 * back as the same double.  Strings are UTF-8: control characters are escaped, and a byte that is
 * no UTF-8 becomes U+FFFD, so that any reader takes the text. */

enum { SAL_JSON_DEPTH = 16 };

/** A text being written; what is open is closed by as many sal_json_end. */
typedef struct {
  FILE *out; /* NULL: the text is not wanted, and nothing is written */
  int depth;
  char closer[SAL_JSON_DEPTH]; /* of what is open */
  bool more[SAL_JSON_DEPTH];   /* has a member already */
} sal_json;

/** Begins a text that is one object; out NULL: all that follows does nothing. */
void sal_json_begin(sal_json *json, FILE *out);
/** Open an object or an array; `name` is that of the member, NULL in an array. */
void sal_json_object(sal_json *json, const char *name);
void sal_json_array(sal_json *json, const char *name);
/** Closes what was opened last; a line end follows the outermost object. */
void sal_json_end(sal_json *json);

/** Single values; a NULL string is null. */
void sal_json_number(sal_json *json, const char *name, double value);
void sal_json_whole(sal_json *json, const char *name, int64_t value);
void sal_json_bool(sal_json *json, const char *name, bool value);
void sal_json_text(sal_json *json, const char *name, const char *value);

/** Several members in one call: "name %s, cells %ld, error %g, done %i" takes a text, a whole number (int: %d), a
 *  number and a bool; and an object with these members alone. */
void sal_json_members(sal_json *json, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sal_json_object_of(sal_json *json, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { SAL_JSON_NUMBER = 32 };
/** The shortest decimal that reads back as the same double, or "null". */
const char *sal_json_shortest(double value, char text[SAL_JSON_NUMBER]);

/* ---- report ---- */

typedef struct {
  FILE *text;    /* NULL: muted */
  sal_json json; /* an object is open; muted for text */
} sal_report;

/** Begins a report on `out`; NULL: all that follows does nothing. */
sal_report sal_report_begin(FILE *out, bool json);
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
