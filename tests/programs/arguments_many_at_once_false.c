// EXPECT: false unreach-call LP64
// The error comes as soon as there were ten options, however many arguments follow.
extern void reach_error(void);

int main(int argc, char **argv) {
  int options = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1] == '-')
      options++;
    if (options == 10)
      reach_error();
  }
  return 0;
}
