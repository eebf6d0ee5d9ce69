# The names that a program calls, whatever headers make of them.
automaton redirected

state Start initial
    call scanf -> ERROR "scanf is called"
    call renamed, second -> ERROR "it is called"
