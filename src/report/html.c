// The pieces that pages are made of: text that is safe in HTML, the frame with its style and script, grids.
#include <stdio.h>
#include <string.h>

#include "base/lay_in.h"
#include "report/report.h"

LAY_IN(report_css, "src/report/report.css");
LAY_IN(report_js, "src/report/report.js");

const char *const report_status_names[REPORT_STATUSES] = {"solved", "partly", "not"};

const char *report_status_words(ReportStatus status, bool known) {
    static const char *const words[2][REPORT_STATUSES] = {
        {"all demos right", "some demo right", "no demo right"}, {"right", "partly right", "not right"}};
    return words[known][status];
}

// ---- Text ----

void report_escape_all(Text *t, const char *text) { svg_escape(t, text, strlen(text)); }

// ---- The frame ----

// No address in the policy but data: so a page cannot load anything, whatever it says.
void report_begin(Text *t, const char *title) {
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"generator\" content=\"Tessera " TS_VERSION "\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
    report_escape_all(t, title);
    text_add(t, "</title>\n<style>\n");
    text_add(t, report_css);
    text_add(t, "</style>\n<script>\n");
    text_add(t, report_js);
    text_add(t, "</script>\n</head>\n<body>\n");
}

void report_end(Text *t) { text_add(t, "</body>\n</html>\n"); }

// ---- Grids ----

void report_grid(Text *t, ts_grid g, const char *label, const ts_grid *wanted) {
    const int height = svg_side(g.height), width = svg_side(g.width);
    text_print(t,
               "<svg class=\"grid\" style=\"--w:%d;--h:%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
               width, height, width, height);
    report_escape_all(t, label);
    text_add(t, ", ");
    svg_size(t, g);
    const int off = wanted ? ts_grid_off(g, *wanted) : 0;
    if (off > 0) text_print(t, ", %d of them off", off);
    text_add(t, "\">");
    svg_cells(t, g);
    if (wanted) svg_off(t, g, *wanted);
    text_add(t, "</svg>");
}
