// How fast this processor multiplies and adds numbers -DREAL: chains of sums in registers, nothing from memory.

#if defined(__AVX512F__)
constexpr int BYTES = 64;
#elif defined(__AVX__)
constexpr int BYTES = 32;
#else
constexpr int BYTES = 16;
#endif

constexpr int CHAINS = 12;

typedef REAL Vector __attribute__((vector_size(BYTES)));

// Chains that start apart, lest they be taken for one, over so many rounds; returns how many multiply-adds there were.
extern "C" double multiply_add(long rounds, double factor) {
  Vector sums[CHAINS];
  for (int chain = 0; chain < CHAINS; chain++) sums[chain] = Vector{} + REAL(chain);
  const Vector by = Vector{} + REAL(factor);
  for (long round = 0; round < rounds; round++)
#pragma GCC unroll 12
    for (int chain = 0; chain < CHAINS; chain++) sums[chain] = sums[chain] * by + by;
  volatile double kept = 0;
  for (Vector &sum : sums) kept = kept + sum[0];
  return double(rounds) * CHAINS * (BYTES / sizeof(REAL));
}
