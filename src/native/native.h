/** The flow of a text of equations, compiled for this machine: the same bits as its programs, sooner.
 *
 *  One process makes an image, which is a shared object in memory (sal_native_make), and any number of them take the
 *  flows out of it (sal_native_take), each of which compares them with the programs first.  All failures leave the
 *  model as it is, so that a caller may report them in a line and go on.
 */
#pragma once

#include "equation_model.h"
#include <limits.h>

enum { SAL_NATIVE_WIDTHS = 3, SAL_NATIVE_KEY = 33 };

/** A request for flows. */
typedef struct {
  bool width[SAL_NATIVE_WIDTHS]; /* lanes of 1, 4, 8 */
  bool
      points; /* width 1 serves single points: without steps of pairs, which take most of the time */
  bool kept;  /* only what has been made before: an empty image if nothing has */
} sal_native_request;

/** A shared object; zero is none. */
typedef struct {
  char *bytes; /* the caller's, sal_native_free frees them */
  size_t n;
  char key[SAL_NATIVE_KEY]; /* of what it was made from, and by */
  bool width[SAL_NATIVE_WIDTHS];
  bool made;      /* now, and not found in the folder of images */
  char note[256]; /* what was wrong with the one in the folder; "": nothing */
} sal_native_image;

/** Request of a run with so many lanes, at most as many as the CPU has: these, and single points.  timed: it runs at width 1,
 *  too, against the clock. */
sal_native_request sal_native_request_of(int lanes, bool timed);

/** The image of a model: found in the folder of images, or compiled and put there.  SAL_ERR_IO where there is no
 *  folder, no compiler, or it fails or takes longer than its limit ([s] SALTUS_CC_SECONDS, or 60); SAL_ERR_STOPPED
 *  after a signal. */
sal_err sal_native_make(const sal_equation_model *model, const sal_native_request *request,
                        sal_native_image *image);
void sal_native_free(sal_native_image *image);

/** Requirements of a compilation: the compiler's path, and the folder of images, made if missing.  SAL_ERR_IO: one is missing. */
sal_err sal_native_needs(char compiler[PATH_MAX], char folder[PATH_MAX]);

/** About the time that a compiler takes for it, of one core [s]. */
double sal_native_seconds(const sal_equation_model *model);

/** The image of a model in C, by the contract of kernels/model.h: NAME.c defines sal_NAME.  At all widths of the program. */
sal_err sal_native_make_model(const char *path, const char *text, sal_native_image *image);
/** Loads it; *model stays until the program ends. */
sal_err sal_native_take_model(const sal_native_image *image, const sal_model **model);

/** Loads an image, compares its flows with the model's programs at drawn points and in runs, and puts them into the
 *  model.  SAL_ERR_INPUT where they are not such flows or their bits differ: the model is as it was.  Loaded code stays until the
 *  program ends. */
sal_err sal_native_take(const sal_native_image *image, sal_equation_model *model);
