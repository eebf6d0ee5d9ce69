# What functions are passed, compared as C would.
automaton arguments
state Start initial
    call resize if $1 > limit               -> ERROR "resize() beyond the limit"
    call put if $1 < 0                      -> ERROR "put() of a negative number"
    call at if $1 == NULL || $2 >= 10       -> ERROR "at() outside of the array"
    call half if $1 % 2 != 0 && $1 / 2 < 50 -> ERROR "half() of an odd number"
    call mask if ($1 & 0xff) == 0x80        -> ERROR "mask() with the sign bit"
