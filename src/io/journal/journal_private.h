/** Shared by the sources of this folder: the bytes of a journal, names, lists, nodes, identities.
 */
#pragma once

#include "journal_state.h"

/* The bytes of a journal: head, texts, checksum of both; then records.
 * For the sources of this folder alone. */

/* The bytes of a record: head, ranges, cell and trajectory records packed (journal_pack.h), checksum
 * of what is packed (XXH3, 64 bits).
 *
 * The head has a checksum of its own, over the ranges too and with the fingerprint of the sweep as
 * seed; it is the seed of the second.  So the head alone describes the contents of a record. */

/** The first bytes of a record: no text, no small number, no double of note. */
#define SAL_JOURNAL_RECORD_MAGIC UINT64_C(0x9c1fe2d377c0a85b)

enum { SAL_JOURNAL_MOST_RANGES = 1 << 12 };

typedef struct {
  uint64_t magic;
  int64_t bytes; /* of what is packed */
  int64_t first,
      count; /* cells; count 0: the mark of a run that begins here, with the cells it is to have in `first` */
  int64_t
      lacking; /* trajectories of them that are not there: of no outcome; of a mark: the run's start [us since 1970] */
  int64_t n_range; /* ranges after the head: lo [n_range], hi [n_range] */
  uint64_t sum;    /* of what is above, and of the ranges */
} sal_journal_record_head;

/** Completes the head of a new record by magic and checksum; range [2][head->n_range]. */
void sal_journal_record_seal(sal_journal_record_head *head, uint64_t fingerprint,
                             const double range[]);
/** The checksum after its packed bytes [head->bytes]. */
uint64_t sal_journal_record_sum(const sal_journal_record_head *head, const void *packed);

/** Can this be a record of a sweep with n_cell cells and n_config configurations, so far as numbers
 *  go? */
bool sal_journal_record_fits(const sal_journal_record_head *head, int64_t n_cell, int64_t n_config);
/** Are the head and its ranges what was written? */
bool sal_journal_record_head_sound(const sal_journal_record_head *head, uint64_t fingerprint,
                                   const double range[]);

/** Bytes of the ranges. */
size_t sal_journal_record_range_bytes(int64_t n_range);
/** Bytes of a record, all in all. */
int64_t sal_journal_record_size(const sal_journal_record_head *head);

#define SAL_JOURNAL_MAGIC "saltus\nj"
enum { SAL_JOURNAL_VERSION = 6 };

/** Texts after the head: what results depend on; the sweep file's path, and its text as run; the machines that the
 *  records come of (machine.h). */
enum {
  SAL_JOURNAL_IDENTITY,
  SAL_JOURNAL_PATH,
  SAL_JOURNAL_SWEEP,
  SAL_JOURNAL_MACHINE,
  SAL_N_JOURNAL_TEXT
};

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t n_cell_metric, n_metric, n_config;
  int64_t n_cell;
  uint64_t fingerprint;
  int64_t text_bytes[SAL_N_JOURNAL_TEXT];
} sal_journal_head;

uint64_t sal_journal_fingerprint(const char *identity);
/** The checksum of a head and its texts. */
uint64_t sal_journal_head_sum(const sal_journal_head *head, const char *const text[]);

/** An open journal and room for what is read from it; close it with sal_journal_file_close. */
typedef struct {
  int fd;
  const char *path;
  int64_t size;
  double written; /* last write, seconds since 1970 */
  bool sound;     /* the head is whole; else it and the texts mean nothing */
  bool torn;      /* the file ends before the head does: a run was killed as it began */
  sal_journal_head head;
  char *text[SAL_N_JOURNAL_TEXT];
  char *room;    /* a record, all its bytes */
  double *range; /* [2][n_range] of the record */
  int64_t n_room, n_range_room;
} sal_journal_file;

/** Opens for reading; a damaged head is not a failure. */
sal_err sal_journal_file_open(const char *path, sal_journal_file *file);
void sal_journal_file_close(sal_journal_file *file);

/** Does it begin as a journal does, or is it empty?  Nothing else is ever removed. */
bool sal_journal_file_is_ours(const char *path);

/** Where the first record may begin. */
int64_t sal_journal_file_begin(const sal_journal_file *file);

/** Records to be looked for in a journal. */
typedef struct {
  uint64_t fingerprint;
  int64_t n_cell, n_config;
} sal_journal_kin;

/** Is there the sound head of a record that lies in the file at `offset`, of such a sweep?  Then
 *  *head is it, and file->range has its ranges. */
sal_err sal_journal_file_head(sal_journal_file *file, int64_t offset, const sal_journal_kin *kin,
                              sal_journal_record_head *head, bool *sound);
/** The same of a whole record; file->room has its bytes. */
sal_err sal_journal_file_record(sal_journal_file *file, int64_t offset, const sal_journal_kin *kin,
                                sal_journal_record_head *head, bool *whole);
/** n bytes from `offset`, or fewer at the end of the file: *got. */
sal_err sal_journal_file_read(const sal_journal_file *file, int64_t offset, size_t n, void *to,
                              size_t *got);

/** The next place from `offset` on where a record may begin; -1: none. */
sal_err sal_journal_file_seek(sal_journal_file *file, int64_t offset, int64_t *found);

/* Pieces of memory to a place in a journal, and its head. */

typedef struct {
  const void *data;
  size_t size;
} sal_journal_piece;

/** Writes them one after the other from *end on, which moves.  After a failure *end is where it
 *  was, and the file is cut there. */
sal_err sal_journal_bytes_write(int fd, const char *path, int n, const sal_journal_piece piece[],
                                int64_t *end);
/** Writes head and texts of a journal, as above. */
sal_err sal_journal_bytes_head(const sal_journal *journal, int fd, const char *path,
                               const sal_text *machine, int64_t *end);
/** Writes the mark of the run. */
sal_err sal_journal_bytes_mark(const sal_journal *journal, int fd, const char *path, int64_t goal,
                               int64_t *end);

/* Names of journals, and folders of them.
 *
 * FOLDER/NNNN.sal is journal number NNNN. */

/** Fills path [PATH_MAX] with the name of a journal in that folder. */
sal_err sal_journal_name_path(const char *folder, const sal_journal_name *name, char path[]);

/** Adds all journals of a folder, ascending, to *name [*n], which has *room; f is their folder's number.  *name is freed
 *  with sal_free. */
sal_err sal_journal_name_list(const char *folder, int64_t f, sal_journal_name **name, int64_t *n,
                              int64_t *room);

/** Renames a file to PATH.damaged, or PATH.damaged-2 and so on where there is one. */
sal_err sal_journal_name_set_aside(const char *path);

/** "path: cannot be read: ..." of errno. */
sal_err sal_journal_name_fail(const char *path, const char *what);

/* Lists: of the files of journals, and of the records in them. */

void sal_journal_list_free(sal_journal_list *list);
sal_err sal_journal_list_add(sal_journal_list *list, const sal_journal_entry *entry);
/** Widens the ranges of the list by `range`, which may be NULL. */
sal_err sal_journal_list_widen(sal_journal_list *list, const double range[]);

/** Sorts by first cell, leaves out complete records that hold a cell a second time; returns the cells of the others, n of
 *  the list, after which *n_partial follow, and in *twice the cells left out. */
int64_t sal_journal_list_sort(sal_journal_list *list, int64_t *n_partial, int64_t *twice);

/** Fills path [PATH_MAX] with the name of file number i of the journals. */
sal_err sal_journal_list_path(const sal_journal *journal, int64_t i, char path[]);

/** Adds the records of an open journal to a list; entries get `number` as their file.  `heads`: of each record the head alone is
 *  read. */
sal_err sal_journal_scan_file(sal_journal_file *file, int64_t number, const sal_journal_kin *kin,
                              bool heads, sal_journal_list *list);

/** Collective.  Lists the files of the folders anew. */
sal_err sal_journal_list_files(sal_journal *journal);

/* Records that were written, kept in memory. */

/** Notes a record at `offset` of journal `number`, in pieces, and keeps it where there is room and memory. */
sal_err sal_journal_held_add(sal_journal_held *held, int64_t first, int64_t number, int64_t offset,
                             int n, const sal_journal_piece piece[]);
/** Moves the records of `more` to the end of the list. */
sal_err sal_journal_held_join(sal_journal_held *held, sal_journal_held *more);

/** Words that the ranks of a node share while they write to one journal. */
typedef enum {
  SAL_JOURNAL_HELD,  /* 1: a rank writes */
  SAL_JOURNAL_END,   /* [B] of the journal's last whole record */
  SAL_JOURNAL_SINCE, /* [ns] clock of the first record that is not on the disk for sure; 0: none */
  SAL_JOURNAL_WORDS
} sal_journal_word;

/* Inputs that results depend on, as text, and whether a journal has the same. */

/** Fills identity and fingerprint of journals, whose sweep is known. */
sal_err sal_journal_identity_set(sal_journal *journal);
/** Refuses (SAL_ERR_EXISTS) a journal of another sweep or program, with what differs.  A damaged
 *  head proves nothing; the checksums of the records do. */
sal_err sal_journal_identity_check(const sal_journal *journal, const sal_journal_file *file);
/** Properties that records of these journals must match. */
sal_journal_kin sal_journal_identity_kin(const sal_journal *journal);

/* Cells that a sweep has from a file: FOLDER/design-SUM, a head and the values.  It is there before the first journal of
 * the folder is. */

/** On one rank: writes it, unless it is there, or the sweep has none. */
sal_err sal_journal_design_keep(const char *folder, const sal_sweep *sweep);
/** Reads what the text of a sweep lacks (sal_design_give). */
sal_err sal_journal_design_give(const char *folder, const char *text);
/** Removes all such files from a folder; others of such a name stay. */
void sal_journal_design_remove(const char *folder);
