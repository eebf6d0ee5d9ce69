# Locks are taken and given back in turn, and given back before the program ends.
automaton locks

state Unlocked initial
    call lock    -> Locked
    call unlock  -> ERROR "unlock() without lock()"

state Locked
    call lock    -> ERROR "lock() twice"
    call unlock  -> Unlocked
    exit         -> ERROR "the lock is never given back"
