// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the compiler chooses whether the index is a constant of the text)
// An index that is a constant of the text counts the bits of one word only, and one in a register those of all words.
extern void reach_error(void);

int main(void) {
    unsigned words[2] = {1u << 8, 0};
    int carry;
    __asm__("btl %2, %1\n\tsbbl %0, %0" : "=r"(carry) : "m"(words[0]), "ri"(40));
    if (carry)
        reach_error();
    return 0;
}
