# The C types of arranger_search.py, for Cython: nothing here changes what it answers.
# cython: boundscheck=False, wraparound=False, initializedcheck=False

cimport cython

cdef int ROYALTY
cdef int DIGIT_BITS
cdef int DIGIT
cdef double NOTHING
cdef double SLACK


@cython.final
cdef class Search:
    cdef int[::1] steps, plain, flush, fronts
    cdef double[::1] odds
    cdef int width, classes
    cdef bint may_equal, rows_decide
    cdef double gunshot, home_run, pair

    cdef int cards
    cdef int[::1] ranks, suits
    cdef int[::1] listed, listed_classes, placed, sizes, order, spare

    cdef int five_count, three_count
    cdef int[::1] fives, five_classes, threes, three_classes
    cdef int[::1] first_middles, first_fronts, free
    cdef double[::1] front_ceilings, middle_ceilings, back_ceilings, bounds

    cdef int keep, kept
    cdef double worst
    cdef double[::1] kept_units
    cdef int[::1] kept_fronts, kept_middles, kept_backs

    @cython.locals(first=int, back=int)
    cdef void run(self) noexcept nogil

    @cython.locals(
        count=int, a=int, b=int, c=int, d=int, e=int,
        index_b=int, index_c=int, index_d=int, index=int, suit=int, row=int,
    )
    cdef void list_fives(self) noexcept nogil

    @cython.locals(count=int, a=int, b=int, c=int, index_b=int)
    cdef void list_threes(self) noexcept nogil

    @cython.locals(index=int, place=int)
    cdef void sort(self, int count, int[::1] rows, int[::1] classes) noexcept nogil

    @cython.locals(digit=int, index=int, start=int, size=int, place=int)
    cdef void sort_by_digit(
        self, int count, int shift, int[::1] source, int[::1] target
    ) noexcept nogil

    @cython.locals(
        front_ceiling=double, middle_ceiling=double, back_ceiling=double, front=int, row=int
    )
    cdef void set_ceilings(self) noexcept nogil

    @cython.locals(start=int, end=int, back=int)
    cdef void find_first_middles(self) noexcept nogil

    @cython.locals(front=int, middle=int)
    cdef void find_first_fronts(self) noexcept nogil

    @cython.locals(low=int, high=int, back=int, middle=int, ceiling=double)
    cdef int hopeful_backs(self) noexcept nogil

    @cython.locals(
        index=int, first=int, a=int, b=int, c=int, d=int, e=int,
        back=int, middle=int, front=int, loose=bint,
        row_a=int, row_b=int, row_c=int, row_d=int, row=int,
        middle_a=int, middle_b=int, middle_c=int, middle_d=int,
        front_a=int, front_b=int, front_c=int, front_d=int,
    )
    cdef int set_bounds(self, int hopeful) noexcept nogil

    @cython.locals(middle=int)
    cdef bint promises(self, int back) noexcept nogil

    cdef double bound_back(self, int front, int middle, int back) noexcept nogil

    cdef int next_five(self, int five, int used) noexcept nogil

    cdef int next_three(self, int three, int used) noexcept nogil

    @cython.locals(front_ceiling=double, middle_ceiling=double)
    cdef double bound(self, int front, int middle, int back, double earned) noexcept nogil

    @cython.locals(row=int, earned=double, free_count=int, front=int, best=int, middle=int)
    cdef void try_back(self, int back) noexcept nogil

    @cython.locals(
        middle_earned=double, back_earned=double, index=int, front=int,
        ceiling=double, units=double, earned=double,
    )
    cdef void try_middle(self, int middle, int back, int best, int free_count) noexcept nogil

    @cython.locals(place=int, last=int)
    cdef void offer(self, double units, int front, int middle, int back) noexcept nogil

    @cython.locals(after=int)
    cdef void make_room(self, int place, int last) noexcept nogil

    cdef bint same_classes(self, int front, int middle, int back, int place) noexcept nogil

    @cython.locals(kept_front=int, kept_middle=int, kept_back=int)
    cdef bint comes_before(
        self, double units, int front, int middle, int back, int place
    ) noexcept nogil

    cdef int front_odds(self, int front) noexcept nogil

    cdef int middle_odds(self, int middle) noexcept nogil

    cdef int back_odds(self, int back) noexcept nogil

    @cython.locals(f=int, m=int, b=int)
    cdef double units(
        self, int front, int middle, int back, double earns_f, double earns_m, double earns_b
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


cdef double spread(double a, double b, double c, double x, double y, double z) noexcept nogil
