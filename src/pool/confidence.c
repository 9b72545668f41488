// How far a winner, a program that is right on all demos of a task, is to be trusted on the tests.
//
// The odds are a product, their logarithm a sum of few terms, fitted to 2,018 winners that iterate had found
// for 321 training tasks (bench/confidence):
//
// - Agreement. Winners that came about independently and give the same for the tests are hardly ever wrong.
//   Those are no independent witnesses which have a parent in common, come one from the other, differ in
//   constants only, or were found by the same engine: together they speak once, by the shortest of them.
// - Dissent. Where winners give something else, the demos do not decide, even if these are kin.
// - Size, beside the shortest winner. How long that one is says nothing more.
//
// Fitted on some tasks and tried on others it has a log loss of 0.30, where 0.51 is that of the mean.
// TRIED, with these already known: how many demos there are (0.30), how many programs miss one demo only,
// which is what leaving a demo out would have made winners of (0.30), whether the program was imported
// (0.29), how many cells the demos' outputs have (0.29; the pool would have to store it).
#include "pool/confidence.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"

static const double START = 1.85, LONGER = -0.86, AGREEMENT = 2.0, DISSENT = -4.4;
static const double UNKNOWN_START = 1.7, UNKNOWN_LONGER = -0.93; // where it is not known what they give
static const double MOST = 0.96;

// ---- Kinship ----

typedef struct {
    uint64_t key;
    size_t witness;
} Kin;

static int by_key(const void *a, const void *b) {
    const Kin *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1)
                            : (x->witness > y->witness) - (x->witness < y->witness);
}

static size_t group_of(PoolWitness *w, size_t k) {
    while (w[k].group != k) k = w[k].group = w[w[k].group].group;
    return k;
}

// Gives all that are kin, over any number of steps, one group: it is named after the best of them, the
// shortest or the first.
static bool group(PoolWitness *w, size_t count) {
    size_t n = 0;
    Kin *kin = malloc((count * POOL_KIN + 1) * sizeof *kin);
    if (!kin) return false;
    for (size_t k = 0; k < count; k++) {
        w[k].group = k;
        for (int m = 0; m < POOL_KIN; m++)
            if (w[k].kin[m]) kin[n++] = (Kin){w[k].kin[m], k};
    }
    qsort(kin, n, sizeof *kin, by_key);
    for (size_t k = 1; k < n; k++) {
        if (kin[k].key != kin[k - 1].key) continue;
        size_t a = group_of(w, kin[k - 1].witness), b = group_of(w, kin[k].witness);
        const size_t x = w[a].lines, y = w[b].lines;
        if (x < y || (x == y && a < b)) w[b].group = a;
        else w[a].group = b;
    }
    free(kin);
    return true;
}

// ---- Odds ----

// In thousandths, so that the last bit of a logarithm decides nothing.
static double odds(double sum) { return fmin(MOST, round(1000 / (1 + exp(-sum))) / 1000); }

static int by_answers(const void *a, const void *b) {
    const PoolWitness *x = *(PoolWitness *const *)a, *y = *(PoolWitness *const *)b;
    return (x->answers > y->answers) - (x->answers < y->answers);
}

// All of one answer: how many groups speak for it, and each one's confidence.
static void weigh_alike(PoolWitness *all, PoolWitness **alike, size_t n, size_t known, size_t shortest) {
    size_t voices = 0;
    for (size_t k = 0; k < n; k++) voices += alike[k]->group == (size_t)(alike[k] - all);
    for (size_t k = 0; k < n; k++) {
        PoolWitness *w = alike[k];
        const bool own = all[w->group].answers == w->answers; // its own group is among them
        const double longer = log((1 + (double)w->lines) / (1 + (double)shortest));
        const double agreement = log(1 + (double)(voices - own));
        const double dissent = (double)(known - n) / (double)known;
        if (!w->answers) w->confidence = odds(UNKNOWN_START + UNKNOWN_LONGER * longer);
        else w->confidence = odds(START + LONGER * longer + AGREEMENT * agreement + DISSENT * dissent);
    }
}

bool pool_weigh(PoolWitness *witnesses, size_t count) {
    PoolWitness **sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted || !group(witnesses, count)) {
        free(sorted);
        return false;
    }
    size_t known = 0, shortest = SIZE_MAX;
    for (size_t k = 0; k < count; k++) {
        if (witnesses[k].lines < shortest) shortest = witnesses[k].lines;
        witnesses[k].group = group_of(witnesses, k);
        known += witnesses[k].answers != 0;
        sorted[k] = &witnesses[k];
    }
    qsort(sorted, count, sizeof *sorted, by_answers);
    for (size_t k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count && sorted[end]->answers == sorted[k]->answers;) end++;
        weigh_alike(witnesses, sorted + k, end - k, known ? known : 1, shortest);
    }
    free(sorted);
    return true;
}

// ---- What makes kin ----

static size_t name_length(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    return n;
}

// A number, or a name in capitals; but I, S and C are what a program is given.
static bool is_constant(const char *name, size_t n) {
    if (isdigit((unsigned char)*name)) return true;
    for (size_t k = 0; k < n; k++)
        if (islower((unsigned char)name[k])) return false;
    return n > 1 || *name == 'T' || *name == 'F';
}

uint64_t pool_shape(const char *text) {
    uint64_t h = 1;
    while (*text) {
        size_t n = name_length(text);
        if (n == 0) n = 1;
        else if (is_constant(text, n)) {
            h = pool_hash_bytes(h, "#", 1);
            text += n;
            continue;
        }
        if (*text != '-') h = pool_hash_bytes(h, text, n);
        text += n;
    }
    return h ? h : 1;
}

void pool_parents(const char *origin, uint64_t *parents, size_t most) {
    size_t count = 0;
    memset(parents, 0, most * sizeof *parents);
    while (*origin && count < most) {
        size_t n = name_length(origin);
        if (n == 16 && strspn(origin, "0123456789abcdef") >= 16)
            parents[count++] = strtoull(origin, NULL, 16);
        origin += n ? n : 1;
    }
}
