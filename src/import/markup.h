/** An XML text that is not trusted: elements, attributes and numbers, with messages that name the line.
 *
 *  No DTD, so no entities and nothing from elsewhere, at most 16 MB, 16384 elements, and 256 levels deep.
 */
#pragma once

#include "robot.h"
#include <libxml/tree.h>

/** Parses a text; the caller frees with xmlFreeDoc. */
sal_err sal_markup_parse(const char *path, const char *text, xmlDoc **out);
/** The first child element called `name` of any name where it is NULL, and the next one. */
xmlNode *sal_markup_first(const xmlNode *node, const char *name);
xmlNode *sal_markup_next(const xmlNode *node, const char *name);
bool sal_markup_is(const xmlNode *node, const char *name);
/** An attribute, NULL: absent; the text belongs to the document. */
const char *sal_markup_attribute(const xmlNode *node, const char *name);
/** least .. most numbers apart by blanks, *n of them; of the attribute `name` for messages. */
sal_err sal_markup_numbers(const sal_robot *robot, const xmlNode *node, const char *name,
                           const char *text, int least, int most, double x[], int *n);
/** An element for a reader. */
typedef struct {
  const char *name, *left_out; /* reason in a note; "": nothing of mechanics; NULL: it is read */
  const char
      *attributes; /* apart by blanks, those that are read or nothing of mechanics; NULL: any */
  bool refused;    /* for the reason: without it the text would be that of another robot */
} sal_markup_element;
/** Notes children and their attributes that are not read, and those that no table has; fails at one that is refused. */
sal_err sal_markup_rest(sal_robot *robot, const xmlNode *node, const sal_markup_element table[]);
