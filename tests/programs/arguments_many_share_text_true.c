// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Each argument has a text of its own: none is the end of another one, and no two are the same.
extern void reach_error(void);

int main(int argc, char **argv) {
  if (argc == 12 && (argv[9] == argv[10] || (argv[10][0] != 0 && argv[11] == argv[10] + 1)))
    reach_error();
  return 0;
}
