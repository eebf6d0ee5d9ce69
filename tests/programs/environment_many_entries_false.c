// EXPECT: false unreach-call LP64
// NATIVE: no (entries of the environment that are no variables)
// The tenth variable of the environment begins with an underscore.
extern void reach_error(void);

int main(int argc, char **argv, char **envp) {
  int n = 0;
  while (envp[n])
    n++;
  if (n == 10 && envp[9][0] == '_' && envp[9][1] == '=')
    reach_error();
  return 0;
}
