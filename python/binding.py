"""Makes the module tessera._tessera out of include/tessera.h: its declarations are the module's, with nothing to be kept
in step by hand. binding.c has the few functions that the package adds."""

import os
import re

from cffi import FFI

BUILD = os.environ.get("BUILD", "build")

OWN = """
typedef struct watch {
    ts_stop stop;
    size_t done, all, solved, correct;
    uint64_t tried, growth;
    double left;
    ts_live *live;
    ts_status trouble;
    const ts_iterate *loop;
    const char *pool;
    double budget;
    ...;
} watch;
void keep_trouble(watch *w, bool good, const ts_status *status);
bool watch_battery(void *user, size_t done, size_t all);
void watch_solver(void *user, const ts_solver_progress *p);
bool watch_iterate(void *user, const ts_iterate_counts *c);
size_t add_texts(ts_programs *set, const char *name, const char *texts, const size_t *ends, size_t count,
                 bool strict, ts_report *report, void *user, uint32_t *counts, ts_status *status);
typedef struct verdict {
    int64_t score;
    uint64_t units;
    int32_t demos_right, tests_right;
    int32_t line;
    bool readable;
} verdict;
typedef struct verdict_rows {
    uint8_t *outcomes;
    int32_t *lines;
    int16_t *scores;
    size_t width;
} verdict_rows;
bool judge_texts(ts_judge *judge, const ts_task *const *tasks, const char *texts, const size_t *ends, size_t count,
                 verdict *verdicts, const verdict_rows *rows, ts_status *status);
typedef struct row {
    ts_pool_task task;
    ts_pool_score score;
} row;
typedef struct rows {
    row *rows;
    size_t count;
    bool failed;
    ...;
} rows;
void keep_task(void *user, const ts_pool_task *task);
void keep_score(void *user, const char *task, const ts_pool_score *score);
void free_rows(rows *r);
typedef struct traced {
    ts_trace_line *lines;
    size_t count;
    bool failed;
    ...;
} traced;
bool keep_line(void *user, const ts_trace_line *line);
void free_traced(traced *t);
int call_python(ts_engine *engine, uintptr_t call);
bool add_primitive(ts_primitive *primitive, uintptr_t own, ts_status *status);
void free(void *);

extern "Python" {
    void report_problem(void *user, const ts_status *problem);
}
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def declarations(header):
    """A header without what only the preprocessor reads; numbers that it defines stay."""
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    return re.sub(r"^#(?!define \w+ \d+$).*", "", header, flags=re.M)


ffi = FFI()
ffi.cdef(declarations(read("include/tessera.h")) + OWN)
ffi.set_source(
    "tessera._tessera",
    read("python/binding.c") + read("python/values.c"),
    include_dirs=["include"],
    extra_objects=[f"{BUILD}/libtessera.a"],
    depends=[f"{BUILD}/libtessera.a"],
    libraries=["yajl", "png", "sqlite3", "m"],
)
