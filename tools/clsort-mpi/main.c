/* main.c - clsort-mpi: sorts a binary file over the ranks of MPI */
#include "print.h"
#include "ranks_main.h"

int main(int argc, char **argv)
{
    print_start("clsort-mpi");
    return ranks_main(argc, argv);
}
