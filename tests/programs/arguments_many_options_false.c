// EXPECT: false unreach-call LP64
// Ten options take more arguments than have texts of their own.
extern void reach_error(void);

int main(int argc, char **argv) {
  int options = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-')
      options++;
  if (options >= 10)
    reach_error();
  return 0;
}
