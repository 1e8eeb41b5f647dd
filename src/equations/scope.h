/** Meanings of the names in a model's text, and the expressions that are read with them.
 *
 *  What is defined by an expression (`let`, the gap of a contact) is read when it is first asked for,
 *  so that the order of the text does not matter; a name that needs itself is refused.
 */
#pragma once

#include "document.h"
#include "graph.h"

typedef enum {
  SAL_SCOPE_VALUE,   /* a node */
  SAL_SCOPE_LET,     /* the expression of a node of the document */
  SAL_SCOPE_CONTACT, /* true where that contact is closed; its gap's expression is in the document */
  SAL_SCOPE_OPTION,  /* a choice between words: compared with one of them */
  SAL_SCOPE_TABLE,   /* a function of one number */
} sal_scope_kind;

enum { SAL_SCOPE_NAMES = 4096, SAL_SCOPE_SLOTS = 4 * SAL_SCOPE_NAMES, SAL_SCOPE_WORDS = 4 };

typedef struct {
  const char *name;
  sal_scope_kind kind;
  const char *what; /* "parameter", for messages */
  int number;       /* of a contact or a table; the word of an option */
  int text;         /* node of the document: the expression, or where the name stands */
  int value;        /* once known: the expression's node, of a contact its gap's */
  bool known, busy;
  bool used;
  bool timed;              /* of a contact: its gap is every(T) */
  const char *const *word; /* of an option: its words, which end with NULL */
} sal_scope_name;

/** Required type of an expression. */
typedef enum { SAL_SCOPE_NUMBER, SAL_SCOPE_MASK, SAL_SCOPE_ANY } sal_scope_type;

struct sal_scope;
/** How expressions are read (expression.h), and which words are theirs. */
typedef struct {
  bool (*reserves)(const char *word);
  sal_err (*read)(struct sal_scope *scope, int text, const char *key, sal_scope_type type,
                  int *value);
} sal_scope_language;

enum { SAL_SCOPE_KEY = 64 };

/** An expression that has been read: where it stands, its key, its value, and the nodes from first to last - 1, which were
 *  made for it and for what it needed; of a node the first span that has it is the innermost one. */
typedef struct {
  int text, value, first, last;
  char key[SAL_SCOPE_KEY];
} sal_scope_span;

typedef struct {
  sal_scope_span *span;
  int n;
  int64_t room;
} sal_scope_trace;

/** A node that changes at stops alone: when it changes next, and the size of what that time is made of (program.h). */
enum { SAL_SCOPE_STOPS = SAL_PROGRAM_STOPS };
typedef struct {
  int node, at, size;
} sal_scope_stop;

/** All zero is an empty one. */
typedef struct sal_scope {
  const sal_scope_language *language;
  const sal_document *document;
  sal_graph *graph;
  sal_scope_name name[SAL_SCOPE_NAMES];
  int n;
  uint16_t slot[SAL_SCOPE_SLOTS]; /* 1 + number of a name, by its hash; 0: free */
  sal_scope_stop stop[SAL_SCOPE_STOPS];
  int n_stop;             /* SAL_SCOPE_STOPS + 1: there were more */
  int every;              /* node of every(T) in the text that is being read; 0: there is none */
  int depth;              /* of what is being read, expressions that others need included */
  sal_scope_trace *trace; /* of the caller, who frees its spans; NULL: none is wanted */
} sal_scope;

/** Puts in pi and inf, and, where there are jumps, t, rests and closing. */
sal_err sal_scope_begin(sal_scope *scope, const sal_scope_language *language,
                        const sal_document *document, sal_graph *graph, bool in_time);

/** Adds a name, which is at `text`.  Fails where it is not a valid name (a letter or _, then letters, digits and
 *  _, and of a member of a family its number), is a word of the language or of a function, or was added before. */
sal_err sal_scope_add(sal_scope *scope, sal_scope_name name);

/** Adds to the trace, if there is one, the expression at `text` whose first node was or would have been `first`. */
void sal_scope_remember(sal_scope *scope, int text, const char *key, int first, int value);

/** The entry of a name, NULL where there is none. */
sal_scope_name *sal_scope_find(sal_scope *scope, const char *name);

/** The node that a name stands for, or its contact's mode; `text` is where it was met and `key` heads
 *  the messages. */
sal_err sal_scope_value(sal_scope *scope, int text, const char *key, const char *name, int *value);
