/** The C library, failures, memory and text: what most files of src use. */
#pragma once

#include "err.h"
#include "memory.h"
#include "text.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
