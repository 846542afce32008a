# The C types of search.py, for Cython: nothing here changes what it answers.
# cython: boundscheck=False, wraparound=False, initializedcheck=False

cimport cython
from shisanzhi.engine.solver.expected_units cimport Opponents

cdef int SUIT_BITS, SUITS, CARD_BITS, CARDS, DIGIT_BITS, DIGITS, DIGIT, NO_LIMIT
cdef double NOTHING, SLACK


@cython.final
cdef class Tables:
    cdef Opponents opponents
    cdef int[::1] steps, plain, flush, fronts
    cdef int classes
    cdef bint may_equal


@cython.final
cdef class Search:
    cdef Tables tables
    cdef int cards, five_count, three_count, keep, kept
    cdef int next_back, first_middle, first_front, steps
    cdef bint listed, finished
    cdef double worst
    cdef int[16] ranks, suits, bits
    cdef int[4369] fives, spare
    cdef int[561] threes, free
    cdef int[128] sizes
    cdef double[20] kept_units
    cdef int[20] kept_fronts, kept_middles, kept_backs

    @cython.locals(front=int, middle=int, back=int)
    cdef found(self, int place)

    @cython.locals(place=int)
    cdef places(self, int row)

    cdef void search(self, int most_steps) noexcept nogil

    @cython.locals(
        count=int, a=int, b=int, c=int, d=int, e=int,
        index_b=int, index_c=int, index_d=int, index=int, suit=int, row=int, five_class=int,
    )
    cdef void list_fives(self) noexcept nogil

    @cython.locals(count=int, a=int, b=int, c=int, index_b=int, index=int, row=int)
    cdef void list_threes(self) noexcept nogil

    cdef void sort(self, int count, int* rows) noexcept nogil

    @cython.locals(digit=int, place=int, start=int, row=int)
    cdef void sort_by_digit(self, int count, int shift, int* source, int* target) noexcept nogil

    @cython.locals(above=int, middle=int, front=int)
    cdef bint promises(self, int back) noexcept nogil

    @cython.locals(start=int)
    cdef int next_five(self, int place, int used) noexcept nogil

    @cython.locals(start=int)
    cdef int next_front(self, int place, int middle, int used) noexcept nogil

    @cython.locals(
        f=int, m=int, front_ceiling=double, middle_ceiling=double, bound=double
    )
    cdef bint may_do(self, int front, int middle, int back, double earned) noexcept nogil

    @cython.locals(
        used=int, earned=double, place=int, middle=int, first_front=int, best=int
    )
    cdef void try_back(self, int back) noexcept nogil

    @cython.locals(count=int, place=int)
    cdef void list_free(self, int first, int used) noexcept nogil

    @cython.locals(
        m=int, b=int, middle_earned=double, back_earned=double, used=int,
        place=int, front=int, f=int, ceiling=double, units=double, earned=double,
    )
    cdef void try_middle(self, int middle, int back, int best) noexcept nogil

    @cython.locals(start=int)
    cdef int next_free(self, int place, int used) noexcept nogil

    @cython.locals(place=int, after=int)
    cdef void offer(self, double units, int front, int middle, int back) noexcept nogil

    cdef void put(
        self, int place, double units, int front, int middle, int back
    ) noexcept nogil

    cdef bint ties(self, int front, int middle, int back, int place) noexcept nogil

    cdef bint comes_before(
        self, double units, int front, int middle, int back, int place
    ) noexcept nogil

    cdef int front_odds(self, int front) noexcept nogil

    cdef int middle_odds(self, int middle) noexcept nogil

    cdef int back_odds(self, int back) noexcept nogil


cdef bint same_class(int row, int other) noexcept nogil

cdef bint is_above(int row, int other) noexcept nogil
