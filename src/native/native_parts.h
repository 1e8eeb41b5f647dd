/** Declarations shared by the files of this folder. */
#pragma once

#include "native.h"
#include "text.h"

/** Lanes of a width. */
extern const int sal_native_lanes[SAL_NATIVE_WIDTHS];

/* ---- native_folder.c: the folder of images ---- */

/** Finds the folder, and makes it where it is missing if it may: `saltus` in $SALTUS_CACHE, in $XDG_CACHE_HOME or in ~/.cache.  Refused where it
 *  is another user's, or others may write to it. */
sal_err sal_native_folder_find(bool make, char folder[PATH_MAX]);
/** Writes a new file; NAME may lie in a folder of its own. */
sal_err sal_native_folder_write(const char *work, const char *name, const char *bytes, size_t n);
/** All of a file that is the user's own, to be freed with sal_free; *bytes is NULL where there is none. */
sal_err sal_native_folder_read(const char *folder, const char *name, char **bytes, size_t *n);
/** Moves a file from the folder that is worked in to the folder of images, of which the oldest go when they are many. */
sal_err sal_native_folder_keep(const char *folder, const char *work, const char *name);
/** The sum of an image's bytes, in hexadecimal. */
void sal_native_image_sum(const char *bytes, size_t n, char sum[SAL_NATIVE_KEY]);

/* ---- native_compiler.c: the compiler ---- */

enum { SAL_NATIVE_WORDS = 40, SAL_NATIVE_WORD = 2 * PATH_MAX };

/** A command line. */
typedef struct {
  int n;
  char word[SAL_NATIVE_WORDS][SAL_NATIVE_WORD];
} sal_native_command;

/** The compiler's path: that of SALTUS_CC, the one saltus was built with, or that of CC. */
sal_err sal_native_compiler_find(char path[PATH_MAX]);
/** Runs commands side by side until all have ended well, or one has failed or the time is over: no other one is left
 *  running then.  They work in the folder. */
sal_err sal_native_compiler_run(int n, const sal_native_command command[], const char *work,
                                double seconds);

/* ---- native_source.c: what is compiled, and how ---- */

/** The C of a model. */
sal_err sal_native_source_write(const sal_equation_model *model, sal_text *out);
/** That of a model that is C: `path` ends with NAME.c. */
sal_err sal_native_source_write_model(const char *path, const char *text, sal_text *out);
/** The key of an image: of the C, the kernels' files, the flags, the compiler and the CPU. */
sal_err sal_native_source_key(const sal_text *source, const sal_native_request *request,
                              const char *compiler, char key[SAL_NATIVE_KEY]);
/** Writes the kernels' files and the C into the folder that is worked in, as text.c. */
sal_err sal_native_source_put(const sal_text *source, const char *work);
/** The command that compiles text.c of that folder at a width, and the one that links the widths to text.so. */
void sal_native_source_compile(const char *compiler, const sal_native_request *request, int width,
                               const char *work, const char *key, sal_native_command *command);
void sal_native_source_link(const char *compiler, const sal_native_request *request,
                            const char *work, sal_native_command *command);

/* ---- native_compare.c: bits ---- */

/** Fails where a flow of these widths differs between a, which runs programs, and b. */
sal_err sal_native_compare(const sal_model *a, const sal_model *b,
                           const bool width[SAL_NATIVE_WIDTHS]);

/* ---- The files of the kernels that lie in the program. ---- */

typedef struct {
  const char *name; /* below kernels/ */
  const char *bytes;
  size_t n;
} sal_native_file;

/** The last one has no name. */
extern const sal_native_file sal_native_files[];
