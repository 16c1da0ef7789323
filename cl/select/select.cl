// select.cl - selects the k first elements of the input, in the order of the input
//
// The k-th key, called the threshold, is found without sorting. Then the elements before the
// threshold, and as many of those equal to it as are needed, are copied to the output: those that a
// stable sort would put first. Their order is that of the input, so that the output is the same on
// all devices.
//
// A sorted sample gives a bracket: two keys that have the threshold between them with high
// probability. The first read of the input counts the keys below and at the ends of the bracket, and
// collects the keys inside, the candidates. A radix select among them finds the threshold. If k is
// small, the bracket has no lower end. Then all elements of the output are candidates, and the
// input is read only once. Otherwise a second read copies the output. Keys that are equal to an end
// are only counted, so that an input of few distinct keys has few candidates, too.
//
// If the threshold is outside the bracket, or the candidates do not fit in scratch, the radix select
// reads the input in each round. No result depends on which way was taken.
//
// Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for graphics processing
// units", ACM JEA 17, 2012 (radix select, and brackets from a sample); Floyd and Rivest, "Expected
// time bounds for selection", CACM 18(3), 1975 (the bracket); Zhang, Naruse, Li and Wang, "Parallel
// top-k algorithms on GPU: a comprehensive study and new methods", SC 2023 (no decisions on the
// host).
//
// Kernels, in launch order:
//   select_sample      takes the sample
//   select_bracket     a work-group for each end of the bracket; selects it from the sample
//   select_filter      per chunk of the input: the first read
//   select_plan        one work-group; decides where the threshold is searched
//   then for each digit of the key:
//   select_histogram   per part, which has several chunks: counts the digits of the keys that are in the
//                      range left
//   select_narrow      one work-group; narrows the range to the digit of the threshold
//   and at the end:
//   select_count       per part: counts the keys of its chunks before the threshold and equal to it
//   select_offsets     one work-group; computes the output offset of each chunk
//   select_emit        per chunk: copies the selected elements
//   or select_partition   per chunk: copies all elements, in three parts
//
// The host launches the rounds of all digits. They return early when the range is a single key.
//
// Cost: one read of the keys if k is at most 1/16 of the input, otherwise two, and a read and a write
// of the output. With an unsuitable bracket, three reads and one for each digit. Measured with 2^26
// f32 keys on PoCL 3.1 (2 cores of an EPYC with AVX-512): the largest 100 in 10.8 ms, 0.31 of a copy
// that moves as many bytes, the median in 30 ms, and half of the keys with their indexes in 103 ms,
// 0.13 of it. Without AVX-512, the latter takes 5 times as long. On an H100, the first 100 of 2^28 f32
// keys take 0.50 to 0.52 ms, 0.70 of a copy that moves as many bytes: the first read takes
// 0.39 ms, the rest is the sample and steps that read only the candidates. Half of 2^26 f32 keys and
// their indexes take 0.61 ms in the order of the input, 0.59 of such a copy.
#ifndef CLSORT_SELECT_SELECT_CL
#define CLSORT_SELECT_SELECT_CL

#include "select/output.cl"
#include "select/plan.cl"
#include "select/rounds.cl"

#endif
