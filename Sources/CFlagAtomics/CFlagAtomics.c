// The functions are in the header; a target of C needs one file to compile.
#include "CFlagAtomics.h"
