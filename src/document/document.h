/** A YAML text as a tree whose nodes know where they come from, and that can be changed.
 *
 *  Nodes are numbers; 0 is none.
 */
#pragma once

#include "err.h"
#include <stdint.h>
#include <yaml.h>

enum { SAL_PLACE = 1024 };

/** A document; all strings are borrowed and must outlive it. */
typedef struct {
  const char *path;       /* heads the messages */
  bool lineless;          /* lines have no meaning: the text is not from a file */
  const char *const *set; /* the overrides, by number */
  bool loaded;
  yaml_document_t yaml;
} sal_document;

/** Parses a file's text: one mapping, free of duplicate keys and of aliases.  On failure *document
 *  is empty. */
sal_err sal_document_parse(const char *path, const char *text, sal_document *document);
/** The same for a value of any kind; `where` heads the messages. */
sal_err sal_document_parse_value(const char *where, const char *text, sal_document *document);
void sal_document_free(sal_document *document);

/** The node that `key` stands for in a mapping / the i-th item of a list; 0 where there is none. */
int sal_document_child(const sal_document *document, int mapping, const char *key);
int sal_document_item(const sal_document *document, int list, int i);
/** The nodes of the i-th pair of a mapping. */
const yaml_node_pair_t *sal_document_pair(const sal_document *document, int mapping, int i);
/** By dotted key from the root: "divergence.floor". */
int sal_document_find(const sal_document *document, const char *key);
/** Number of items of a list, 0 for other nodes. */
int sal_document_count(const sal_document *document, int list);
/** The node itself, NULL for 0. */
const yaml_node_t *sal_document_node(const sal_document *document, int node);
/** Its text, NULL when it is not a scalar; without the characters that no text may have (sal_text_forbidden). */
const char *sal_document_text(const sal_document *document, int node);
/** The same as one line, for titles and the like: its line ends and tabs become blanks, in the document, too. */
const char *sal_document_line(const sal_document *document, int node);

/** "FILE:LINE", "--set KEY" for what an override brought, "FILE" for presets. */
const char *sal_document_place(const sal_document *document, int node, char place[SAL_PLACE]);
/** Does the node stand in the file or in an override, not in a preset? */
bool sal_document_given(const sal_document *document, int node);
bool sal_document_overridden(const sal_document *document, int node);
/** Fails with "PLACE: MESSAGE" and SAL_ERR_INPUT. */
sal_err sal_document_fail(const sal_document *document, int node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Where a node comes from, kept in start_mark.index, which nothing else needs. ---- */

#define SAL_MARK_FILE ((size_t)0)
#define SAL_MARK_SET ((size_t)1) /* + number of the override */
#define SAL_MARK_PRESET SIZE_MAX

enum { SAL_MAX_KEY = 128 }; /* bytes of a part of a dotted key */
