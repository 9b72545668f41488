// A wall of tiles by kinds of any name: what the first page, the one that lives and the one that compares
// have in common.
#include "report/report.h"

void report_bar(Text *t, const ReportKinds *kinds, const size_t *counts, size_t tasks) {
    text_add(t, "<p class=\"bar\" aria-hidden=\"true\">");
    for (size_t k = 0; k < kinds->count; k++)
        if (counts[k])
            text_print(t, "<span class=\"%s\" style=\"width:%.3f%%\"></span>", kinds->names[k],
                       100.0 * (double)counts[k] / (double)tasks);
    text_add(t, "</p>\n<ul class=\"legend\">");
    for (size_t k = 0; k < kinds->count; k++)
        text_print(t, "<li><i class=\"sign %s\"></i>%zu %s</li>", kinds->names[k], counts[k],
                   kinds->words[k]);
    text_add(t, "</ul>\n");
}

void report_wall_begin(Text *t, const ReportKinds *kinds, const size_t *counts, size_t tasks,
                       const char *const *sources, size_t source_count) {
    text_print(t,
               "<section id=\"wall\" aria-labelledby=\"wall-title\" tabindex=\"-1\">\n<div "
               "class=\"heading\"><h2 id=\"wall-title\">Tasks</h2><p id=\"shown\" aria-live=\"polite\">%zu "
               "of %zu shown</p></div>\n<form class=\"filters\" role=\"search\" "
               "aria-label=\"Tasks\"><fieldset><legend class=\"unseen\">Show</legend><input type=\"radio\" "
               "name=\"status\" id=\"filter-all\" value=\"\" checked><label for=\"filter-all\">all "
               "<span>%zu</span></label>",
               tasks, tasks, tasks);
    for (size_t k = 0; k < kinds->count; k++) {
        const char *name = kinds->names[k];
        text_print(t,
                   "<input type=\"radio\" name=\"status\" id=\"filter-%s\" value=\"%s\"><label "
                   "for=\"filter-%s\"><i class=\"sign %s\"></i>%s <span>%zu</span></label>",
                   name, name, name, name, kinds->labels[k], counts[k]);
    }
    text_add(
        t, "</fieldset>\n<label class=\"field\"><span class=\"unseen\">Find a task by its id</span><input "
           "type=\"search\" id=\"search\" name=\"find\" placeholder=\"Find an id   /\" autocomplete=\"off\" "
           "spellcheck=\"false\"></label>\n");
    if (source_count > 1) {
        text_add(t,
                 "<label class=\"field\"><span>found by</span><select id=\"source\" name=\"source\"><option "
                 "value=\"\">any</option>");
        for (size_t k = 0; k < source_count; k++) text_print(t, "<option>%s</option>", sources[k]);
        text_add(t, "</select></label>\n");
    }
    text_add(t, "<label class=\"field\"><span>order</span><select id=\"sort\" name=\"sort\"><option "
                "value=\"\">as given</option><option value=\"id\">id</option>");
    for (size_t k = 0; k < kinds->count; k++)
        text_print(t, "<option value=\"%s\">%s first</option>", kinds->names[k], kinds->words[k]);
    text_add(t, "</select></label>\n</form>\n<p id=\"none\" hidden>No task is like that.</p>\n<ul "
                "class=\"tiles\">\n");
}

void report_wall_end(Text *t) { text_add(t, "</ul>\n</section>\n"); }

void report_picture_tile(Text *t, const ts_task *task, const char *status, const char *words,
                         const char *source, const char *href, const char *picture) {
    const ts_sample *first = &task->samples[0];
    text_add(t, "<li class=\"tile\" data-id=\"");
    report_escape_all(t, task->id);
    text_print(t, "\" data-status=\"%s\"", status);
    if (source) text_print(t, " data-source=\"%s\"", source);
    if (href) text_print(t, "><a href=\"%s\"", href);
    else text_add(t, "><a tabindex=\"0\"");
    text_print(t,
               "><img loading=\"lazy\" alt=\"demo 1: %d by %d cells to %d by %d\" src=\"%s\"><span "
               "class=\"id\"><i class=\"sign %s\"></i>",
               first->input.height, first->input.width, first->output.height, first->output.width, picture,
               status);
    report_escape_all(t, task->id);
    text_print(t, "<span class=\"unseen\">, %s</span></span></a></li>\n", words);
}
