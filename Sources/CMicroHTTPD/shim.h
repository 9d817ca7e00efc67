#ifndef FLAGSTAFF_CMICROHTTPD_SHIM_H
#define FLAGSTAFF_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
