#!/usr/bin/env python3
"""The completion as people meet it: in bash, zsh and fish, each on a terminal, with keys that are pressed.

    tests/completion.py [TEST…] [--tessera build/tessera]

What a tabulator makes of a line becomes the argument of `tell`, which writes it to a file. The scripts are those that `make
install` puts into the folders of the shells. The last line is `N passed, N failed`.
"""
import os
import pty
import shutil
import subprocess

from harness import ROOT, check, main

# How each shell is started, with what it reads then. The prompt says how many lines were told.
SHELLS = {
    "bash": (["bash", "--noprofile", "--rcfile", "start", "-i"],
             "source {script}\n"
             "tell() {{ printf '%s\\n' \"$1\" >>$OUT; }}\n"
             "PS1='READY$(wc -l <$OUT)> '\n"),
    "zsh": (["zsh", "-i"],
            "fpath=({folder} $fpath)\nautoload -Uz compinit; compinit -u -d {folder}/dump\n"
            "tell() {{ print -r -- \"$1\" >>$OUT }}\n"
            "bindkey -e; setopt promptsubst; PS1='READY$(wc -l <$OUT)> '\n"),
    "fish": (["fish", "--no-config", "-C", "source start", "-i"],
             "source {script}\n"
             "function tell; echo $argv[1] >>$OUT; end\n"
             "function fish_prompt; echo READY(wc -l <$OUT)'> '; end\n"),
}
# What is typed, and what a tabulator makes of it.
LINES = [
    ("tessera expl", "tessera explain "),
    ("tessera pool exp", "tessera pool export "),
    ("tessera help iter", "tessera help iterate "),
    ("tessera solve --engine dra", "tessera solve --engine draw "),
    ("tessera solve --engine bank,dra", "tessera solve --engine bank,draw "),
    ("tessera solve --engine=dra", "tessera solve --engine=draw "),
    ("tessera solve --per", "tessera solve --per-task "),
    ("tessera show butterf", "tessera show butterfly "),
    ("tessera battery -i seesaw butterf", "tessera battery -i seesaw butterfly "),
    ("tessera pool best butterf", "tessera pool best butterfly "),
    ("tessera show --tasks some_tasks.json bb", "tessera show --tasks some_tasks.json bbb "),
    ("tessera show --tasks some_ta", "tessera show --tasks some_tasks.json "),
    ("tessera run --split ev", "tessera run --split eval "),
    ("tessera ops vupsc", "tessera ops vupscale "),
]
TAB, BEGIN, END = "\t", "\x01", "\x05"  # the last two: to the beginning and to the end of the line


class Tests:
    def __init__(self, options, folder):
        self.tessera, self.folder = options.tessera, folder
        shutil.copy(ROOT / "tests/data/tasks/good/by_id.json", folder / "some_tasks.json")
        (folder / "bin").mkdir()
        (folder / "bin/tessera").symlink_to(self.tessera)
        self.environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "xterm", "HOME": str(folder),
                            "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "exitcode=99", "ZDOTDIR": str(folder), "OUT": str(folder / "out")}

    def press(self, shell):
        """Starts a shell, presses the keys of all lines, and gives what the lines became."""
        (self.folder / "out").write_text("")
        script = self.folder / {"zsh": "_tessera"}.get(shell, f"tessera.{shell}")
        script.write_bytes(subprocess.run([self.tessera, "--completion", shell], check=True, stdout=subprocess.PIPE).stdout)
        command, start = SHELLS[shell]
        for name in ("start", ".zshrc"):
            (self.folder / name).write_text(start.format(script=script, folder=self.folder))
        pid, terminal = pty.fork()
        if pid == 0:
            try:
                os.chdir(self.folder)
                os.execvpe(command[0], command, self.environment)
            finally:
                os._exit(127)
        seen = b""
        try:
            for number, (line, _) in enumerate(LINES):
                while f"READY{number}>".encode() not in seen:
                    seen += os.read(terminal, 65536)
                os.write(terminal, f"{line}{TAB}{BEGIN}tell '{END}'\r".encode())
            os.write(terminal, b"exit\r")
            while os.read(terminal, 65536):
                pass
        except OSError:  # the shell has ended
            pass
        os.waitpid(pid, 0)
        return (self.folder / "out").read_text().split("\n")[:-1]

    def check_shell(self, shell):
        check(shutil.which(shell), f"there is no {shell}")
        made = self.press(shell)
        check(len(made) == len(LINES), f"{shell}: {len(made)} lines of {len(LINES)}: {made}")
        for (line, wanted), got in zip(LINES, made):
            check(got.rstrip() == wanted.rstrip(), f"{shell}: {line!r} became {got!r}, not {wanted!r}")

    def test_bash(self):
        self.check_shell("bash")

    def test_zsh(self):
        self.check_shell("zsh")

    def test_fish(self):
        self.check_shell("fish")

    def test_fish_explains(self):
        """fish shows what each candidate is."""
        script = self.folder / "explain.fish"
        script.write_bytes(subprocess.run([self.tessera, "--completion", "fish"], check=True, stdout=subprocess.PIPE).stdout)
        said = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C 'tessera solve --engine dr'"],
                              env=self.environment, cwd=self.folder, check=True, capture_output=True, text=True).stdout
        check(said == "draw\tdraw for each part\n", repr(said))


if __name__ == "__main__":
    main(Tests, __doc__)
