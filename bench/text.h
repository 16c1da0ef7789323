/* text.h - converts the value of a macro to a string literal */
#ifndef CLSORT_BENCH_TEXT_H
#define CLSORT_BENCH_TEXT_H

#define TEXT(macro) TEXT_AS_IS(macro)
#define TEXT_AS_IS(text) #text

#endif
