# A line is visited anew in each round of a loop, once in a call, and not again by what stands on the line.
automaton visits
state None initial
    line 8 -> One
state One
    line 8 -> Two
state Two
    line 8 -> Three
state Three
    line 8 -> ERROR "a fourth visit"
