# Two automata beside each other; the second takes for granted what is above 9.
automaton turns
state A initial
    call a -> B
    call b -> ERROR "b() first"
state B
    call b -> A

automaton numbers
state Start initial
    call number assume $1 > 9 -> Given
state Given
    call b if last <= 9 -> ERROR "a small number"
    call stop -> STOP
    exit if count >= 3 -> ERROR "counted too far"
