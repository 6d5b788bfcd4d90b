"""Every rule by its name: ours, and the public ones with their flaws."""

from __future__ import annotations

from dragoman.metrics.bird_critic import bird_critic
from dragoman.metrics.bird_execution import bird_execution
from dragoman.metrics.bird_r_ves import bird_r_ves
from dragoman.metrics.bird_soft_f1 import bird_soft_f1
from dragoman.metrics.case import Rule
from dragoman.metrics.egrefine import egrefine
from dragoman.metrics.spider2 import spider2
from dragoman.metrics.spider_exact_set import spider_exact_set
from dragoman.metrics.spider_test_suite import spider_test_suite
from dragoman.metrics.strict import strict

RULES: dict[str, Rule] = {
    "strict": strict,
    "spider_test_suite": spider_test_suite,
    "spider_exact_set": spider_exact_set,
    "bird_execution": bird_execution,
    "bird_soft_f1": bird_soft_f1,
    "bird_r_ves": bird_r_ves,
    "spider2": spider2,
    "bird_critic": bird_critic,
    "egrefine": egrefine,
}
