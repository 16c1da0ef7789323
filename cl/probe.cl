// probe.cl - what a device's compiler can do, told by the kernels that there are

#if defined(COMPRESSES)
__kernel void can_compress(__global uint *unused)
{
}
#endif

// Some drivers refuse a program without any.
__kernel void can_compile(__global uint *unused)
{
}
