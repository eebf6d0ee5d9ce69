# Calls of library functions by the program count, those by the library's own functions do not, and what the library calls back does.
automaton library
state Start initial
    call malloc if $1 > 100   -> ERROR "a large block"
    call less if $1 == $2     -> ERROR "compared with itself"
    call free                 -> Freed
state Freed
    call free if $1 != NULL   -> ERROR "freed twice"
