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
/** The robot that a reader adds to, and where attributes of classes are (MJCF), or NULL. */
typedef struct {
  sal_robot *robot;
  const xmlNode *defaults; /* whose children `default` have them */
  const char *class;       /* of elements that name none; NULL: that of all */
} sal_markup;

/** An attribute of the element or of its class; NULL: absent. */
const char *sal_markup_text(const sal_markup *in, const xmlNode *node, const char *name);
/** Numbers of attributes: name, how many (-3: one to three), double *, for each of them.  Where one is absent they stay. */
#define sal_markup_read(in, ...) sal_markup_read_all(in, __VA_ARGS__, (const char *)NULL)
sal_err sal_markup_read_all(const sal_markup *in, const xmlNode *node, ...)
    __attribute__((sentinel));
/** The place of a word in a list; fails as "unknown KIND 'WORD'". */
sal_err sal_markup_rank(const sal_markup *in, const xmlNode *node, const char *kind,
                        const char *word, const char *const list[], int *rank);
/** Fails where an element in `node` is of a class that no default has. */
sal_err sal_markup_check_classes(const sal_markup *in, const xmlNode *node);
/** sal_robot_fail, sal_robot_note with the line of an element. */
#define sal_markup_fail(in, node, ...) sal_robot_fail((in)->robot, xmlGetLineNo(node), __VA_ARGS__)
#define sal_markup_note(in, node, ...) sal_robot_note((in)->robot, xmlGetLineNo(node), __VA_ARGS__)

/** An element for a reader. */
typedef struct {
  const char *name, *left_out; /* reason in a note; "": nothing of mechanics; NULL: it is read */
  const char *attributes;      /* that are read, or no mechanics, apart by blanks; NULL: any */
  bool refused; /* for the reason: without it the text would be that of another robot */
} sal_markup_element;
/** Notes children and their attributes that are not read, and those that no table has; fails at one that is refused. */
sal_err sal_markup_rest(const sal_markup *in, const xmlNode *node,
                        const sal_markup_element table[]);

/** URDF: links and the joints between them, after the ROS wiki, http://wiki.ros.org/urdf/XML. */
sal_err sal_urdf_read(sal_robot *robot, const xmlNode *root);
