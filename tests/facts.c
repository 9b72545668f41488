// What demos have in common: each fact is asked where they keep it, and answers that break it are found out.
//
//     build/obj/tests/facts [SEED]     random demos with this seed (1)
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "search/facts.h"

enum { DEMOS = 3, MOST_SIDE = 9, RANDOM_TASKS = 3000 };

typedef struct {
    ts_grid grid;
    signed char cells[MOST_SIDE * MOST_SIDE];
} Grid;

// "12/30": two rows.
static void grid_from(Grid *g, const char *text) {
    int n = 0;
    g->grid = (ts_grid){1, 0, g->cells};
    for (; *text; text++) {
        if (*text == '/') g->grid.height++;
        else g->cells[n++] = (signed char)(*text - '0');
    }
    g->grid.width = n / g->grid.height;
}

static Facts facts_from(Grid *in, Grid *out, int demos) {
    ts_grid inputs[DEMOS], outputs[DEMOS];
    for (int k = 0; k < demos; k++) {
        inputs[k] = in[k].grid;
        outputs[k] = out[k].grid;
    }
    const Quest q = {.demos = demos, .inputs = inputs, .outputs = outputs};
    return facts_of(&q);
}

typedef struct {
    Fact fact;
    const char *demos[DEMOS][2]; // the inputs and outputs; one that is repeated is seen twice
    const char *input, *keeps, *breaks;
} Case;

static const Case cases[] = {
    {FACT_SAME_SIZE, {{"01", "10"}, {"02", "20"}, {"0/3", "3/0"}}, "04", "40", "400"},
    {FACT_SUBGRID, {{"012", "12"}, {"304", "4"}, {"500", "50"}}, "607", "07", "67"},
    {FACT_CHANGES, {{"01", "10"}, {"02", "20"}, {"03", "30"}}, "04", "40", "04"},
    {FACT_NO_NEW_COLOR, {{"01", "10"}, {"02", "22"}, {"03", "30"}}, "04", "40", "45"},
    {FACT_SAME_COLORS, {{"012", "210"}, {"034", "304"}, {"05", "50"}}, "067", "760", "660"},
    {FACT_FEWER_COLORS, {{"012", "110"}, {"034", "33"}, {"05", "5"}}, "067", "66", "607"},
    {FACT_SAME_COUNTS, {{"0012", "2100"}, {"034", "304"}, {"05", "50"}}, "067", "760", "766"},
    {FACT_SAME_GROUND, {{"0001", "0010"}, {"2223", "2232"}, {"4445", "4454"}}, "6667", "6676", "7776"},
    {FACT_ONLY_GROUND_CHANGES,
     {{"0001", "0011"}, {"0002", "2002"}, {"0003", "0303"}},
     "0040",
     "4040",
     "4000"},
    {FACT_THINGS_STAY, {{"0001", "0012"}, {"0002", "2001"}, {"0003", "0302"}}, "0040", "4050", "4000"},
    {FACT_AS_MUCH, {{"0001", "0010"}, {"0022", "3300"}, {"0003", "0300"}}, "0040", "0400", "0440"},
    {FACT_MORE, {{"0001", "0011"}, {"0022", "0222"}, {"0003", "0303"}}, "0040", "4440", "0400"},
    {FACT_LESS, {{"0011", "0010"}, {"0022", "0002"}, {"0033", "0300"}}, "0044", "0400", "4400"},
    {FACT_LEFT_IS_RIGHT, {{"0001", "101"}, {"0022", "22"}, {"0033", "030"}}, "0044", "404", "44/40"},
    {FACT_UP_IS_DOWN, {{"0001", "1/0/1"}, {"0022", "22"}, {"0033", "03/03"}}, "0044", "4/4", "44/40"},
    {FACT_AS_MANY_PARTS, {{"0102", "2010"}, {"0030", "0003"}, {"0505", "5005"}}, "0606", "6006", "0660"},
    {FACT_AS_MANY_THINGS, {{"0120", "2210"}, {"0030", "0003"}, {"0505", "5005"}}, "0606", "6006", "0660"},
    {FACT_SAME_PARTS, {{"0102", "2010"}, {"0330", "0033"}, {"0505", "5005"}}, "0660", "6600", "6060"},
    {FACT_SAME_SHAPES, {{"0102", "3030"}, {"0330", "0044"}, {"0505", "5005"}}, "0660", "7700", "7070"},
    {FACT_MORE_PARTS, {{"0100", "0101"}, {"0330", "3303"}, {"0505", "6505"}}, "0060", "6060", "0660"},
    {FACT_ONE_PART, {{"0102", "010"}, {"0330", "3"}, {"0505", "550"}}, "0060", "06", "0606"},
    {FACT_AS_MANY_COLORS, {{"0102", "031"}, {"0330", "3300"}, {"0505", "55550"}}, "0060", "0707", "66"},
    {FACT_HEIGHT_DIFFERENCE, {{"01", "0/1"}, {"02", "2/0"}, {"0/3", "0/3/3"}}, "04", "44/00", "44"},
    {FACT_WIDTH_DIFFERENCE, {{"01", "011"}, {"02", "220"}, {"0/3", "33/33"}}, "04", "444", "4444"},
    {FACT_COLOR_COUNT, {{"01", "01"}, {"023", "32"}, {"045", "04/40"}}, "0678", "67", "678"},
    {FACT_NEW_COLORS, {{"01", "012"}, {"023", "3201"}, {"045", "045/6"}}, "0678", "06789", "6780"},
    {FACT_PARTS, {{"01", "0102"}, {"02", "2/0/2"}, {"03", "303"}}, "04", "4/0/5", "44"},
    {FACT_THINGS, {{"01", "0102"}, {"02", "23/00/12"}, {"03", "303"}}, "04", "4/0/5", "45"},
    {FACT_CELLS, {{"01", "0110"}, {"02", "2/0/2"}, {"03", "3300"}}, "04", "4/0/5", "444"},
    {FACT_GROUND, {{"11120", "001"}, {"22", "002"}, {"33", "003"}}, "44", "004", "444"},
    {FACT_CHANGED, {{"0001", "0002"}, {"222", "212"}, {"33", "34"}}, "444", "445", "455"},
    {FACT_KNOWN_COLORS, {{"01", "02"}, {"03", "02"}, {"04", "03"}}, "05", "53", "06"},
    {FACT_FIRM, {{"0015", "1015"}, {"0025", "2005"}, {"3000", "0300"}}, "0045", "4005", "0450"},
    {FACT_COUNTED, {{"0155", "5510"}, {"0255", "5500"}, {"0300", "3000"}}, "0545", "5500", "5500/5500"},
};

static bool has(uint64_t set, Fact fact) { return set >> fact & 1; }

static void try_case(Checks *k, const Case *c) {
    Grid in[DEMOS], out[DEMOS], input, keeps, breaks;
    check_begin(k, facts_name(c->fact));
    for (int n = 0; n < DEMOS; n++) {
        grid_from(&in[n], c->demos[n][0]);
        grid_from(&out[n], c->demos[n][1]);
    }
    grid_from(&input, c->input);
    grid_from(&keeps, c->keeps);
    grid_from(&breaks, c->breaks);
    const Facts f = facts_from(in, out, DEMOS);
    check(k, has(f.asked, c->fact), "the demos keep it, and it is not asked");
    check(k, !has(facts_broken(&f, input.grid, keeps.grid), c->fact), "%s is said to break it", c->keeps);
    check(k, has(facts_broken(&f, input.grid, breaks.grid), c->fact), "%s is not said to break it",
          c->breaks);
    check_end(k);
}

static void fill_random(Rng *r, Grid *g, int height, int width) {
    const uint32_t colors = 1 + rng_below(r, 4), ground = rng_below(r, 10);
    g->grid = (ts_grid){height, width, g->cells};
    for (int k = 0; k < height * width; k++)
        g->cells[k] = (signed char)(rng_below(r, 2) ? ground : rng_below(r, colors) * 3 % 10);
}

static int side_of(Rng *r) { return 1 + (int)rng_below(r, MOST_SIDE); }

// A demo keeps what all demos keep, whatever they are.
static void try_random(Checks *k, uint64_t seed) {
    Rng r = {seed};
    check_begin(k, "demos break nothing that they keep");
    for (int n = 0; n < RANDOM_TASKS; n++) {
        Grid in[DEMOS], out[DEMOS];
        const int demos = 1 + (int)rng_below(&r, DEMOS);
        for (int d = 0; d < demos; d++) {
            const bool same_size = rng_below(&r, 2);
            fill_random(&r, &in[d], side_of(&r), side_of(&r));
            fill_random(&r, &out[d], same_size ? in[d].grid.height : side_of(&r),
                        same_size ? in[d].grid.width : side_of(&r));
        }
        const Facts f = facts_from(in, out, demos);
        for (int d = 0; d < demos; d++) {
            const uint64_t broken = facts_broken(&f, in[d].grid, out[d].grid);
            check(k, !broken, "task %d, demo %d: breaks %s", n, d, facts_name((Fact)__builtin_ctzll(broken)));
        }
    }
    check_end(k);
}

int main(int argc, char **argv) {
    Checks k = {0};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) try_case(&k, &cases[n]);
    check_begin(&k, "each fact has a case");
    check(&k, sizeof cases / sizeof *cases == FACTS, "%zu cases, %d facts", sizeof cases / sizeof *cases,
          FACTS);
    check_end(&k);
    try_random(&k, argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    return check_summary(&k);
}
