// stream.cl - stores past the cache, of what is not read again soon: whole lines, which need not be read first

// A store of a vector to where it is aligned.
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, place) __builtin_nontemporal_store(value, place)
#endif
#endif
#ifndef STREAM
#define STREAM(value, place) (*(place) = (value))
#endif
