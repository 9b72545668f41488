"""What shows how an answer came about: explanations, report pages, profiles; and the command as a module."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import tessera


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A search of the bundled tasks, with all that it can leave behind."""
    folder = tmp_path_factory.mktemp("found")
    solution = tessera.solve(
        tessera.tasks(), per_task=0.1, pool=False, candidates=folder / "found.jsonl", store=folder / "pool.db",
        out=folder / "submission.json", profile=folder / "profile.json", engines=["repair", "draw", "trees"],
    )  # fmt: skip
    return folder, solution


def test_explains_what_a_search_finds(tasks):
    explanation = tessera.explain(tasks["wallpaper"], seconds=0.2)
    assert len(explanation.answers) == 2 and explanation.answers[0][0].right is True
    first = explanation.answers[0][0]
    assert explanation.first.text == tessera.parse(first.best.program)[0].text
    assert len(first.others) + 1 <= len(explanation.programs) and first.best not in first.others
    assert explanation.trace.right is True
    text = str(explanation)
    assert "confidence" in text and "The first, in words:" in text and explanation.first.words in text
    html = explanation._repr_html_()
    for picture in re.findall(r"<svg.*?</svg>", html, re.S):
        ET.fromstring(picture)
    assert "first, right" in html


@pytest.mark.parametrize("options, chosen", [(["--pool", "tasks/solvers.py"], {"pool": "tasks/solvers.py"}), ([], {})])
def test_explains_the_same_as_the_command(tasks, command, options, chosen):
    """Numbers and reasons are those of the command."""
    said = subprocess.run([command, "explain", "wallpaper", *options], capture_output=True, text=True).stdout
    said = re.sub(r"^(  \w+) \(.*\), class", r"\1, class", said, flags=re.M)  # what the engine does, in a word
    reasons = [line for line in said.splitlines() if re.match(r"test \d|first: conf|second: conf|  \w+, class|  .* other", line)]
    text = str(tessera.explain(tasks["wallpaper"], **chosen))
    assert len(reasons) >= 8 and all(line in text for line in reasons), (reasons, text)


def test_explains_candidates_and_pools(found):
    folder, solution = found
    task = solution.tasks[solution.solved[0]]
    by_file = tessera.explain(task, candidates=folder / "found.jsonl")
    assert by_file.answers[0][0].grid.tolist() == solution[task.id].attempts[0][0].grid.tolist()
    assert by_file.answers[0][0].confidence == pytest.approx(solution[task.id].attempts[0][0].confidence)
    with tessera.Pool(folder / "pool.db") as pool:
        assert len(pool) > 0
        by_pool = tessera.explain(task, pool=pool)
    assert len(by_pool.programs) == len(tessera.explain(task, pool=folder / "pool.db").programs) > 0
    nothing = tessera.explain(task, pool=["def a(I):\n    return canvas(0, UNITY)"])
    assert nothing.programs == [] and nothing.first is None and nothing.trace is None and "0 programs" in str(nothing)


def test_explain_refuses(tasks):
    with pytest.raises(ValueError, match="one task"):
        tessera.explain(tasks)
    with pytest.raises(ValueError, match="demo is 0 to"):
        tessera.explain(tasks["seesaw"], demo=99)
    with pytest.raises(ValueError, match="seconds"):
        tessera.explain(tasks["seesaw"], seconds=0)
    with pytest.raises(FileNotFoundError):
        tessera.explain(tasks["seesaw"], candidates="nowhere.jsonl")


def test_report(found, tmp_path):
    folder, solution = found
    page = tessera.report(
        tmp_path / "pages", solution.tasks, submission=solution, candidates=folder / "found.jsonl", profile=solution.profile,
        title="A & B", progress=False,
    )  # fmt: skip
    text = page.read_text()
    assert "A &amp; B" in text and all(task.id in text for task in solution.tasks)
    assert len(list(page.parent.glob("*.html"))) == 1 + len(solution.tasks)
    assert tessera.report(tmp_path / "b", "tasks", pool=tessera.load(), threads=1).exists()
    assert tessera.report(tmp_path / "c", pool="tasks/solvers.py", submission=folder / "submission.json").exists()
    with pytest.raises(ValueError, match="pool"):
        tessera.report(tmp_path / "d")
    with pytest.raises(OSError):
        tessera.report("/proc/nowhere", pool=tessera.load())


def test_report_with_playground(tmp_path, monkeypatch):
    page, task = tmp_path / "playground.html", tessera.tasks()["seesaw"]
    page.write_text("the page")
    for k, given in enumerate((page, True)):
        monkeypatch.setattr(tessera._report, "installed", lambda *where: str(page) if where == ("tessera", "playground.html") else None)
        first = tessera.report(tmp_path / str(k), task, pool=tessera.load(), playground=given)
        assert first.with_name("playground.html").read_text() == "the page"
        assert "playground.html#j=" in first.with_name("seesaw.html").read_text()
    monkeypatch.setattr(tessera._report, "installed", lambda *where: None)
    with pytest.raises(FileNotFoundError, match="make playground"):
        tessera.report(tmp_path / "c", task, pool=tessera.load(), playground=True)


def test_compare(found, tmp_path):
    folder, solution = found
    right = [task.id for task in solution.tasks if all(any(a.right for a in attempts[:2]) for attempts in solution[task.id].attempts)]
    lost = right[0]
    other = {**solution.submission(), lost: [{"attempt_1": [[0]], "attempt_2": [[0]]} for _ in solution[lost].attempts]}
    compared = tessera.compare(solution.tasks, solution, other, out=tmp_path / "pages")
    assert compared.lost == [lost] and compared.won == [] and compared.both == right[1:] and compared.lacking == (0, 0)
    assert str(compared).startswith("won 0, lost 1, ") and compared.page == tmp_path / "pages" / "index.html"
    assert f'data-id="{lost}" data-status="lost"' in compared.page.read_text()
    back = tessera.compare(solution.tasks, other, folder / "found.jsonl")
    assert lost in back.won and back.lost == [] and back.page is None
    del other[right[1]]
    assert tessera.compare(solution.tasks, solution, other).lacking == (0, 1)
    with pytest.raises(FileNotFoundError):
        tessera.compare(solution.tasks, solution, "nowhere.json")


def is_at_rest(page):
    text = page.read_text()
    return "data-live" not in text and "Ended after" in text and text.rstrip().endswith("</html>")


def test_pages_of_solve(tmp_path):
    seen = []
    page = tmp_path / "pages" / "index.html"
    solution = tessera.solve("tasks", per_task=0.05, pages=page.parent, progress=lambda _: seen.append("data-live" in page.read_text()))
    assert any(seen) and is_at_rest(page) and len(list(page.parent.iterdir())) == 1
    text = page.read_text()
    assert f'id="solved-count">{solution.score().tasks_right}<' in text and 'class="words"' in text
    with pytest.raises(OSError):
        tessera.solve("tasks", per_task=0.05, pages="/proc/nowhere")


def test_pages_of_iterate(tmp_path):
    with tessera.Pool(tmp_path / "pool.db", "a") as pool:
        pool.add(tessera.load("tasks/solvers.py"))
        iteration = tessera.iterate(pool, "tasks", rounds=2, pages=tmp_path / "pages")
    page = tmp_path / "pages" / "index.html"
    assert is_at_rest(page) and f'id="solved-count">{len(iteration.solved)}<' in page.read_text()
    assert page.read_text().count('class="fresh"') == 6
    with pytest.raises(OSError):
        tessera.iterate(tmp_path / "pool.db", "tasks", rounds=1, pages="/proc/nowhere")


def test_pages_that_go(tmp_path):
    """The folder is removed meanwhile: the work goes on, with one warning."""
    def remove(_):
        shutil.rmtree(tmp_path / "pages", ignore_errors=True)

    with pytest.warns(RuntimeWarning, match="without that page") as warned:
        solution = tessera.solve("tasks", per_task=0.05, pages=tmp_path / "pages", progress=remove)
    assert len(solution) == 14 and len(warned) == 1


def test_profiles(found, tmp_path, command):
    folder, solution = found
    profile = solution.profile
    assert profile.command == "solve" and set(profile.tasks) == set(solution.tasks.ids)
    assert "engines" in [category.name for category in profile.categories] and profile.stages["run"] > 0
    assert profile.categories == sorted(profile.categories, key=lambda category: -category.ms)
    again = tessera.profile(folder / "profile.json")
    assert again.data == profile.data and tessera.profile(again) is again
    said = subprocess.run([command, "profile", folder / "profile.json"], capture_output=True, text=True)
    assert said.stdout == str(again) and str(again) in again._repr_html_().replace("&gt;", ">").replace("&lt;", "<")
    assert again.table(outlier=1, without_outliers=True) != str(again)
    iteration = tessera.iterate(tmp_path / "p.db", tessera.tasks(), rounds=2, profile=True)
    assert iteration.profile.command == "iterate" and iteration.profile.core_ms > 0
    assert tessera.evaluate(tessera.load(), tessera.tasks()).profile is None


@pytest.mark.parametrize("content", ["", "[1]", "nothing", '{"command": 3}'])
def test_profiles_that_are_none(tmp_path, content):
    (tmp_path / "p.json").write_text(content)
    with pytest.raises(tessera.InputError):
        tessera.profile(tmp_path / "p.json")


def test_engines_of_solve(tasks):
    with pytest.raises(ValueError, match="nothing"):
        tessera.solve(tasks["seesaw"], per_task=0.01, engines="nothing")
    solution = tessera.solve(tasks["wallpaper"], per_task=0.05, pool=False, engines="repair", memory=2**28)
    assert solution["wallpaper"].solved


def test_the_command_as_a_module(command):
    def run(*words):
        return subprocess.run([sys.executable, "-m", "tessera", *words], capture_output=True, text=True)

    assert run("eval", "add(1, 2)").stdout == "3\n"
    wrong = run("nothing")
    direct = subprocess.run([command, "nothing"], capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr) == (direct.returncode, direct.stderr) and wrong.returncode != 0


def test_bundled_tasks_and_programs(tasks):
    bundled = tessera.tasks()
    assert bundled.ids == tasks.ids
    for one, other in zip(bundled, tasks):
        assert all(a.input.tolist() == b.input.tolist() for a, b in zip([*one.train, *one.test], [*other.train, *other.test]))
    assert [p.text for p in tessera.load()] == [p.text for p in tessera.load("tasks/solvers.py")]
    with pytest.raises(ValueError):
        tessera.tasks(split="train")
