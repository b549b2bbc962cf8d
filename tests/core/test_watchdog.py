"""A rule that hangs, even inside a C function, ends in a rendered ERROR; so does a process that dies."""

import os
import re
import signal
import time

import pytest

from werkrevisor_core.watchdog import Progress, supervise


@pytest.fixture
def progress():
    made = Progress()
    made.index_of("first")
    made.index_of("slow")
    return made


def watched(progress, work, limit=0.3):
    ended = []

    def on_end(rule, what):
        ended.append((rule, what))
        return 4

    return supervise(work, progress, limit, on_end), ended


def test_work_that_ends_gives_its_own_status(progress):
    assert watched(progress, lambda: 2) == (2, [])


def test_a_rule_that_sleeps_is_named(progress):
    def work():
        progress.enter(2)
        time.sleep(60)
        return 0

    assert watched(progress, work) == (4, [("slow", "did not end within 0.3 seconds")])


def test_a_rule_that_hangs_inside_a_regular_expression_is_named(progress):
    def work():
        progress.enter(2)
        return int(bool(re.match("(a+)+$", "a" * 60 + "b")))

    assert watched(progress, work)[1] == [("slow", "did not end within 0.3 seconds")]


def test_many_short_rules_are_no_hang(progress):
    def work():
        for _ in range(12):
            progress.enter(1)
            time.sleep(0.05)
        return 1

    assert watched(progress, work) == (1, [])


def test_long_work_of_the_core_is_no_hang_of_a_rule(progress):
    def work():
        progress.enter(0)
        time.sleep(0.7)
        return 3

    assert watched(progress, work) == (3, [])


def test_a_process_that_is_killed_is_reported(progress):
    def work():
        progress.enter(1)
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    assert watched(progress, work) == (4, [("first", "was running when the process was ended by signal 9")])


def test_a_rule_that_ends_the_process_gives_no_verdict(progress):
    def work():
        progress.enter(2)
        os._exit(0)

    assert watched(progress, work) == (4, [("slow", "was running when the process ended with the exit status 0")])


def test_an_interrupt_leaves_no_child_behind(progress):
    def on_wait(seconds, rule):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        supervise(lambda: time.sleep(60), progress, 90, lambda rule, what: 4, on_wait)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_waiting_is_reported_until_the_output_starts(progress):
    heard = []

    def work():
        progress.enter(1)
        time.sleep(0.4)
        progress.start_output()
        time.sleep(0.4)
        return 1

    status = supervise(work, progress, 90, lambda rule, what: 4, lambda seconds, rule: heard.append((seconds, rule)))
    assert status == 1
    assert {rule for _, rule in heard} == {"first"}
    assert [seconds for seconds, _ in heard] == sorted(seconds for seconds, _ in heard)
    assert progress.output_started


def test_an_error_of_our_own_is_no_verdict(progress, capfd):
    def work():
        raise RuntimeError("an error of our own")

    assert watched(progress, work) == (70, [])
    assert "an error of our own" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"),
    [(SystemExit(0), 70), (SystemExit("text"), 70), (BrokenPipeError(), 141), (KeyboardInterrupt(), 130)],
)
def test_other_ends(progress, error, status):
    def work():
        raise error

    assert watched(progress, work) == (status, [])


def test_names_have_numbers(progress):
    assert progress.index_of("slow") == 2
    progress.enter(2)
    assert progress.state() == ("slow", 1)
    progress.enter(99)
    assert progress.state() == ("", 2)
