// The devices that there are, why one is not used, and what was measured of them; and --device, for the
// commands that use them.
#include "cli/cli.h"

ts_devices *cli_devices(const Cli *cli, const char *usual, ExitCode *code) {
    ts_status status;
    const char *which = cli_value(cli, "device");
    ts_devices *devices = ts_devices_open(which ? which : usual, &status);
    if (!devices) {
        *code = status.code == TS_USAGE ? cli_usage(cli, "%s", status.message) : cli_fail(&status);
        return NULL;
    }
    if (ts_devices_note(devices)) cli_say("%s", ts_devices_note(devices));
    if (ts_devices_warning(devices)) cli_say("%s", ts_devices_warning(devices));
    return devices;
}

// ---- What was measured ----

static const char *from_words(double jobs, char text[32]) {
    if (jobs > 0) snprintf(text, 32, "%.0f", jobs < 1 ? 1 : jobs);
    else snprintf(text, 32, "never");
    return text;
}

void cli_print_prices(const ts_devices *devices, size_t index) {
    const ts_device d = ts_devices_at(devices, index);
    ts_device_price p;
    char from[32];
    if (!d.is_measured) return;
    printf("  %-14s %12s %12s %14s\n", "function", "ns a job", "on the CPU", "quicker from");
    for (size_t k = 0; ts_devices_price(devices, index, k, &p); k++)
        if (p.device_ns > 0)
            printf("  %-14s %12.1f %12.1f %14s\n", p.function, p.device_ns, p.host_ns,
                   from_words(p.break_even, from));
    printf("  a wave costs %.1f us besides, and is quicker from this many jobs on: %s\n", d.fixed_us,
           from_words(d.break_even, from));
}

void cli_json_prices(Text *t, const ts_devices *devices, size_t index) {
    const ts_device d = ts_devices_at(devices, index);
    ts_device_price p;
    text_print(t, "\"fixed_us\": %.3f, \"break_even\": %.0f, \"functions\": [", d.fixed_us, d.break_even);
    for (size_t k = 0, any = 0; d.is_measured && ts_devices_price(devices, index, k, &p); k++)
        if (p.device_ns > 0)
            text_print(t, "%s{\"name\": \"%s\", \"device_ns\": %.1f, \"cpu_ns\": %.1f, \"break_even\": %.0f}",
                       any++ ? ", " : "", p.function, p.device_ns, p.host_ns, p.break_even);
    text_char(t, ']');
}

// ---- The list ----

static void print_device(const ts_devices *devices, size_t index) {
    const ts_device d = ts_devices_at(devices, index);
    char line[400];
    snprintf(line, sizeof line, "device %zu: %s, %.1f GB, by %s", index, d.name, (double)d.memory / 1e9,
             d.backend);
    cli_print_line(line, 2);
    if (d.is_used) snprintf(line, sizeof line, "  --device auto uses it");
    else snprintf(line, sizeof line, "  --device auto does not use it: %s", d.why);
    cli_print_line(line, 4);
    cli_print_prices(devices, index);
}

static void put_device(Text *t, const ts_devices *devices, size_t index) {
    const ts_device d = ts_devices_at(devices, index);
    text_print(t, "%s{\"number\": %zu, \"backend\": \"%s\", \"name\": ", index ? ", " : "", index, d.backend);
    text_json(t, d.name);
    text_print(t, ", \"processor\": %s, \"memory\": %llu, \"used\": %s, \"why\": ",
               d.is_processor ? "true" : "false", (unsigned long long)d.memory, d.is_used ? "true" : "false");
    text_json(t, d.why);
    text_print(t, ", \"measured\": %s, ", d.is_measured ? "true" : "false");
    cli_json_prices(t, devices, index);
    text_char(t, '}');
}

static ExitCode print_json(const ts_devices *devices) {
    Text t = {0};
    text_add(&t, "{\"devices\": [");
    for (size_t k = 0; k < ts_devices_count(devices); k++) put_device(&t, devices, k);
    text_add(&t, "], \"why\": ");
    text_json(&t, ts_devices_why(devices));
    text_add(&t, "}\n");
    return cli_print(&t);
}

static ExitCode run(Cli *cli) {
    ts_status status;
    if (cli->word_count) return cli_usage(cli, "unexpected '%s'", cli->words[0]);
    ts_devices *devices = ts_devices_open(NULL, &status);
    ExitCode code = EXIT_GOOD;
    if (!devices) return cli_fail(&status);
    // What goes wrong is shown with the device.
    for (size_t k = 0; k < ts_devices_count(devices) && !cli_has(cli, "list"); k++)
        ts_devices_measure(devices, k, cli_has(cli, "measure"), &status);
    if (cli_has(cli, "json")) code = print_json(devices);
    else {
        for (size_t k = 0; k < ts_devices_count(devices); k++) print_device(devices, k);
        if (!ts_devices_count(devices)) printf("no devices: %s\n", ts_devices_why(devices));
    }
    ts_devices_close(devices);
    return code;
}

const CliCommand cmd_devices = {
    .name = "devices",
    .arguments = "[--list | --measure] [--json]",
    .summary = "list graphics processors and what they are good for",
    .help = "Lists the devices that can do steps on images for `tessera solve`, by OpenCL 1.2; whether "
            "--device auto\n"
            "uses them, and why not; and for each function what a job takes there and on the CPU, with the "
            "number of\n"
            "jobs in a wave from which on the device is quicker. What was measured once is kept in the cache "
            "folder,\n"
            "$XDG_CACHE_HOME/tessera or ~/.cache/tessera.\n"
            "Example: tessera devices",
    .options = {{"list", NULL, "measure nothing that is not known"},
                {"measure", NULL, "measure all of them anew"},
                {"json", NULL, "as JSON"}},
    .run = run,
};
