/* ranks_main.h - clsort-mpi: what its main function does */
#ifndef CLSORT_TOOLS_MPI_RANKS_MAIN_H
#define CLSORT_TOOLS_MPI_RANKS_MAIN_H

/* Runs the program, after print_start, from MPI_Init to MPI_Finalize. Returns the exit status, which is the same on all
 * ranks. */
int ranks_main(int argc, char **argv);

#endif
