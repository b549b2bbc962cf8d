import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from werkrevisor_core.forked import forked, pays


def test_the_result_of_another_process():
    with forked(lambda: str(os.getpid()).encode()) as result:
        found = result()
    assert found is not None
    assert int(found) != os.getpid()


def test_a_large_result_is_whole():
    with forked(lambda: b"x" * 5_000_000) as result:
        assert result() == b"x" * 5_000_000


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(0)])
def test_where_the_work_fails_there_is_no_result(error):
    def work():
        raise error

    with forked(work) as result:
        assert result() is None


def test_where_the_process_is_ended_there_is_no_result():
    def work():
        os.kill(os.getpid(), signal.SIGKILL)
        return b"never"

    with forked(work) as result:
        assert result() is None


def test_work_that_hangs_is_ended():
    def work():
        while True:
            time.sleep(60)

    with forked(work, seconds=1) as result:
        assert result() is None


def test_a_process_that_nobody_waits_for_is_ended_with_the_context(tmp_path):
    place = tmp_path / "pid"

    def work():
        place.write_text(str(os.getpid()))
        while True:
            time.sleep(60)

    def interrupted():
        with forked(work):
            while not (place.exists() and place.read_text()):
                time.sleep(0.01)
            raise RuntimeError("the other half failed")

    with pytest.raises(RuntimeError):
        interrupted()
    with pytest.raises(ProcessLookupError):
        os.kill(int(place.read_text()), 0)


def test_it_pays_with_a_second_processor_only(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    assert pays()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert not pays()
    monkeypatch.delattr(os, "sched_getaffinity")
    assert not pays()


def test_a_process_ends_soon_after_its_parent(tmp_path):
    place = tmp_path / "pid"
    code = (
        "import os, sys, time, pathlib\n"
        "from werkrevisor_core.forked import forked\n"
        "def work():\n"
        "    pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))\n"
        "    while True: time.sleep(60)\n"
        "with forked(work):\n"
        "    while not os.path.exists(sys.argv[1]): time.sleep(0.01)\n"
        "    os._exit(0)\n"
    )
    # Nobody may have to wait for what the orphan still holds open.
    done = subprocess.run([sys.executable, "-c", code, str(place)], capture_output=True, check=True, timeout=60)
    assert done.stdout == b""
    orphan = int(place.read_text())
    while Path(f"/proc/{orphan}").exists() and "Z" not in Path(f"/proc/{orphan}/stat").read_text().split()[2]:
        time.sleep(0.05)
