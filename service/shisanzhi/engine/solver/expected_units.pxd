# The C types of expected_units.py, for Cython: nothing here changes what it answers.
# cython: boundscheck=False, wraparound=False, initializedcheck=False

cimport cython


@cython.final
cdef class Opponents:
    cdef int count
    cdef bint rows_decide
    cdef double gunshot, home_run, pair
    cdef double[::1] wins, holds, swept, swept_once, swept_twice, own, ceiling
    cdef double[::1] higher, equal, lower

    cdef double units(
        self, int f, int m, int b, double earns_f, double earns_m, double earns_b
    ) noexcept nogil

    @cython.locals(
        wins_f=double, wins_m=double, wins_b=double,
        guns=double, gunned=double, swept=double, royalties=double, home_runs=double,
    )
    cdef double gun_units(
        self, int f, int m, int b, double earns_f, double earns_m, double earns_b
    ) noexcept nogil

    @cython.locals(
        wins_f=double, wins_m=double, wins_b=double,
        holds_f=double, holds_m=double, holds_b=double,
        loses_f=double, loses_m=double, loses_b=double,
        even=double, guns=double, gunned=double, won=double, lost=double, swept=double,
    )
    cdef double row_units(self, int f, int m, int b, double royalties) noexcept nogil

    @cython.locals(
        wins_f=double, wins_m=double, wins_b=double,
        holds_f=double, holds_m=double, holds_b=double,
        loses_f=double, loses_m=double, loses_b=double,
        higher_f=double, higher_m=double, higher_b=double,
        equal_f=double, equal_m=double, equal_b=double,
        lower_f=double, lower_m=double, lower_b=double,
        gunned=double,
    )
    cdef double paid(self, int f, int m, int b) noexcept nogil

    @cython.locals(_=int)
    cdef double and_all_others(self, double chance, double guns) noexcept nogil


cdef double spread(double a, double b, double c, double x, double y, double z) noexcept nogil
