/** A raster of answers as HDF5: a row a pixel. */
#pragma once

#include "ask.h"

/** Value of the attribute `content` of the file. */
#define SAL_RASTER_CONTENT "saltus raster"

/** "k=0.61,b=0.43": how much each coordinate decides, the most first, without fixed ones. */
enum { SAL_RASTER_TEXT = 1024 };
const char *sal_raster_decides(const sal_raster_cube *raster, char text[SAL_RASTER_TEXT]);
/** "m1=4,f=0.0548": values of coordinates on no axis, as --at takes them. */
const char *sal_raster_still(const sal_raster_cube *raster, char text[SAL_RASTER_TEXT]);

sal_err sal_raster_write(const char *path, const sal_raster_cube *raster);
