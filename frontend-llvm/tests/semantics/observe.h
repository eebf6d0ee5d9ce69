/* A checksum of everything observed, which the program returns. */
#define observe(h, value) ((h) = ((h) ^ (unsigned)(value)) * 16777619u + 7)
unsigned run(void);

#ifdef NATIVE
int printf(const char *, ...);
int main(void) { printf("%u\n", run()); return 0; }
#else
int main(void) { return (int)run(); }
#endif
