# The numbers of lines_*.c. A value is taken when control comes to the line.
automaton order
state Before initial
    line 8 if x > 3 -> Large
    line 8          -> Small
state Large
    line lines_false.c:10 if p.y == 7 && a[2] == -1 -> ERROR "large"
    line lines_true.c:10 if p.y == 7 && a[2] != -1  -> ERROR "large"
state Small
    line 10 -> STOP
    line 12 -> ERROR "beyond"
