// How far a program that nobody learnt from this task's demos is to be trusted: one of a pool.
//
// What the search or iterate found. What speaks for it is how many lines of the pool's programs give the same
// as it, among all that fit all demos, and how short it is beside the shortest. Its class is the level of the
// confidence. Fitted to 941 candidates for training tasks, from pools of solvers of other tasks and from such
// as iterate had made of those and from nothing: fitted on some tasks and tried on others it has a log loss
// of 0.21; whether answers are right, and which of a task is, follows from little else.
//
// What a person wrote. A whole program that fits all demos is right far more often than a line of one,
// however long it is: so only other whole programs speak against it. Of the 400 public solvers, each on all
// training tasks but its own, 35 of 39 that fit were right, and 33 of 35 where no other fitted; of their
// lines 21 of 31 (bench/origin). One that has the name of the task was written for it: 400 of 400, but their
// author knew the tests.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/quest.h"

static const double START = 2.67, LONGER = -2.9, DISSENT = -5.3;
static const double FOUND = 0.79; // of all that iterate found, where there is nothing to hold it against

static bool is_for(const Quest *q, const char *name) {
    Text t = {0};
    quest_name(q, &t);
    const bool same = t.data && strcmp(t.data, name) == 0;
    text_free(&t);
    return same;
}

static int class_of_odds(const ts_task_result *r, const ts_candidate *c, int demos, bool whole_only) {
    double all = 0, shortest = c->lines;
    for (size_t m = 0; m < r->top_count; m++) {
        const ts_candidate *other = &r->top[m];
        if ((int)other->demos_right < demos || (whole_only && !other->whole)) continue;
        all += other->agreeing;
        shortest = fmin(shortest, other->lines);
    }
    const double dissent = 1 - c->agreeing / all;
    const double longer = log((1 + c->lines) / (1 + shortest));
    return class_of_level(1 / (1 + exp(-(START + LONGER * longer + DISSENT * dissent))));
}

int class_of_candidate(const Quest *q, const ts_programs *pool, const ts_task_result *r,
                       const ts_candidate *c, bool trusted) {
    if ((int)c->demos_right < q->all_demos) return 0;
    const size_t program = c->whole - 1; // where it is one
    const bool written = c->whole && !ts_programs_found(pool, program);
    int class = class_of_odds(r, c, q->all_demos, written);
    if (written && is_for(q, ts_programs_name(pool, program))) class = CLASS_OF_OWN;
    return trusted && c->whole ? CLASS_TRUSTED + class : class;
}

bool ts_search_add_program(ts_search *search, const ts_programs *programs, size_t index) {
    Quest *q = &search->quest;
    const bool found = ts_programs_found(programs, index);
    const bool own = !found && is_for(q, ts_programs_name(programs, index));
    const int class = own ? CLASS_OF_OWN : class_of_level(found ? FOUND : 1 / (1 + exp(-START)));
    char *text = ts_programs_print(programs, index);
    const bool good = text && quest_offer_program(q, ENGINE_pool, class, text, strlen(text)) > 0;
    free(text);
    return good;
}
