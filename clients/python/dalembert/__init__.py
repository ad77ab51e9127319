"""A client of the simulation service dalembert; see Client. It needs only Python; numpy is used if
it is installed."""

from .client import Changes, Client
from .errors import (
    BadAnswer,
    Busy,
    Conflict,
    DalembertError,
    InvalidDocument,
    JobFailed,
    Mistake,
    NotFound,
    Problem,
    Unreachable,
    WaitTimeout,
)
from .job import Event, Job, Svg
from .progress import Bar
from .table import Table

__version__ = "0.10.1"

__all__ = [
    "BadAnswer",
    "Bar",
    "Busy",
    "Changes",
    "Client",
    "Conflict",
    "DalembertError",
    "Event",
    "InvalidDocument",
    "Job",
    "JobFailed",
    "Mistake",
    "NotFound",
    "Problem",
    "Svg",
    "Table",
    "Unreachable",
    "WaitTimeout",
    "__version__",
]
