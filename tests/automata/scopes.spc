# Locals hide globals, a static local is found in its function's file, recursion has a variable for each activation.
automaton scopes
state Start initial
    call probe if value != 1       -> ERROR "not the innermost value"
    call level if n < 0 || calls > 4 -> ERROR "too deep"
