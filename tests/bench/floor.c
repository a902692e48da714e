/* The floor: what text to signatures costs a plain C program, one thread, nothing else.

   For each document: bytewise ASCII lower-case words (letters, digits, underscore), hashed byte by
   byte; hashes of k consecutive words; one Fast Similarity Sketch of K values (Dahlgaard, Knudsen,
   Thorup, FOCS 2017): every shingle into one of K bins, again in further rounds until no bin is
   empty. It knows no Unicode, keeps no spans, finds no pairs. Reading the file is not timed.

   floor FILE k K     FILE: uint64 n, uint64 offsets[n + 1], the texts
   prints processor seconds for words, shingles and signatures (by the clock, less the share that
   other programs had), and a checksum, which keeps the compiler honest. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MULTIPLIER 0x9E3779B97F4A7C15u
#define LOW_40 ((UINT64_C(1) << 40) - 1)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline uint64_t mix(uint64_t v) {
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

static size_t hash_words(const unsigned char *text, size_t length, const unsigned char *fold,
                         uint64_t *words) {
    size_t count = 0;
    for (size_t i = 0; i < length;) {
        if (!fold[text[i]]) { i++; continue; }
        uint64_t value = 0x243F6A8885A308D3u;
        for (; i < length && fold[text[i]]; i++) {
            value = (value ^ fold[text[i]]) * 0xD6E8FEB86659FD93u;
            value ^= value >> 32;
        }
        words[count++] = value;
    }
    return count;
}

static size_t hash_shingles(const uint64_t *words, size_t count, size_t k, uint64_t *shingles) {
    if (count < k) {
        uint64_t value = count;
        for (size_t i = 0; i < count; i++) value = value * MULTIPLIER + words[i];
        shingles[0] = mix(value);
        return count > 0;
    }
    for (size_t i = 0; i + k <= count; i++) {
        uint64_t value = 0;
        for (size_t j = 0; j < k; j++) value = value * MULTIPLIER + words[i + j];
        shingles[i] = mix(value);
    }
    return count - k + 1;
}

static void sign(const uint64_t *shingles, size_t count, size_t size, const uint64_t *seeds,
                 uint64_t *best, unsigned char *open, uint32_t *signature) {
    for (size_t bin = 0; bin < size; bin++) best[bin] = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = mix(shingles[i] ^ seeds[0]);
        size_t bin = ((value >> 40) * size) >> 24;
        value &= LOW_40;
        best[bin] = value < best[bin] ? value : best[bin];
    }
    for (size_t round = 1; count && round < 2 * size; round++) {
        size_t missing = 0;
        for (size_t bin = 0; bin < size; bin++) missing += open[bin] = best[bin] == UINT64_MAX;
        if (!missing) break;
        if (round >= size && !open[round - size]) continue;
        for (size_t i = 0; i < count; i++) {
            uint64_t value = mix(shingles[i] ^ seeds[round]);
            size_t bin = round >= size ? round - size : ((value >> 40) * size) >> 24;
            value &= LOW_40;
            if (open[bin] && value < best[bin]) best[bin] = value;
        }
    }
    for (size_t bin = 0; bin < size; bin++) signature[bin] = (uint32_t)best[bin];
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) { fputs("not enough memory\n", stderr); exit(1); }
    return memory;
}

static unsigned char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) { perror(path); exit(1); }
    size_t size = (size_t)ftell(file);
    unsigned char *data = allocate(size);
    rewind(file);
    if (fread(data, 1, size, file) != size) { perror(path); exit(1); }
    fclose(file);
    return data;
}

int main(int argc, char **argv) {
    if (argc != 4) { fputs("floor FILE k K\n", stderr); return 2; }
    size_t k = strtoul(argv[2], NULL, 10), size = strtoul(argv[3], NULL, 10);
    unsigned char *data = read_file(argv[1]);
    const uint64_t *header = (const uint64_t *)data;
    size_t count = header[0], longest = 1;
    const uint64_t *offsets = header + 1;
    const unsigned char *texts = (const unsigned char *)(offsets + count + 1);
    for (size_t i = 0; i < count; i++)
        if (offsets[i + 1] - offsets[i] > longest) longest = offsets[i + 1] - offsets[i];

    unsigned char fold[256] = {0};
    for (int c = 'a'; c <= 'z'; c++) fold[c] = fold[c - 32] = (unsigned char)c;
    for (int c = '0'; c <= '9'; c++) fold[c] = (unsigned char)c;
    fold['_'] = '_';
    uint64_t *words = allocate(8 * longest), *shingles = allocate(8 * longest);
    uint64_t *best = allocate(8 * size), *seeds = allocate(16 * size);
    unsigned char *open = allocate(size);
    uint32_t *signatures = allocate(4 * size * count);
    memset(signatures, 0, 4 * size * count);
    for (size_t i = 0; i < 2 * size; i++) seeds[i] = mix(i + 1);

    double spent[3] = {0}, start = now();
    clock_t start_cpu = clock();
    uint64_t checksum = 0;
    for (size_t i = 0; i < count; i++) {
        double began = now();
        size_t found = hash_words(texts + offsets[i], offsets[i + 1] - offsets[i], fold, words);
        double hashed = now();
        size_t total = hash_shingles(words, found, k, shingles);
        double shingled = now();
        sign(shingles, total, size, seeds, best, open, signatures + size * i);
        double ended = now();
        spent[0] += hashed - began;
        spent[1] += shingled - hashed;
        spent[2] += ended - shingled;
        checksum += signatures[size * i] + total;
    }
    double share = (double)(clock() - start_cpu) / CLOCKS_PER_SEC / (now() - start);
    for (int i = 0; i < 3; i++) printf("%.6f ", spent[i] * share);
    printf("%llu\n", (unsigned long long)checksum);
    return 0;
}
