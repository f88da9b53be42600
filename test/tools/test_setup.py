# SPDX-License-Identifier: Apache-2.0
"""tools/setup installs what is missing and nothing else, asks no questions, and configures only where that is needed.

apt, dpkg, sudo and cmake are played by small scripts.
"""

import os
import pathlib
import re
import shutil
import stat
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])
FAKES = {
    "id": "echo 1000",
    # sudo gives a command none of its caller's environment.
    "sudo": 'exec env -i PATH="$PATH" STATE="$STATE" "$@"',
    "dpkg-query": 'while read -r name; do echo "$name installed"; done < "$STATE/installed"',
    "apt-cache": 'cat "$STATE/known"',
    "apt-get": """
echo "$DEBIAN_FRONTEND apt-get $*" >> "$STATE/calls"
case " $* " in
  *" install -s "*) echo "0 upgraded, 7 newly installed, 0 to remove and 0 not upgraded." ;;
  *" install "*)
    for word in "$@"; do
      if grep -qx -- "$word" "$STATE/broken"; then echo "E: Unable to fetch $word"; exit 100; fi
      if grep -qx -- "$word" "$STATE/known"; then echo "$word" >> "$STATE/installed"; fi
    done
    echo "Need to get 3 kB of archives." ;;
esac""",
    "cmake": """
echo "cmake $*" >> "$STATE/calls"
while [ $# -gt 0 ]; do
  case $1 in -S) source=$2 ;; -B) build=$2 ;; -D*) option=${1#-D}; options="$options${option%%=*}:BOOL=${option#*=}
" ;; esac
  shift
done
[ -n "$source" ] || exit 0
mkdir -p "$build" && touch "$build/build.ninja"
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\\n%s' "$source" "$build" "$options" > "$build/CMakeCache.txt"
""",
}
LIST = """
[robot]  # a comment
compiler-1 runtime-1 | compiler-2 runtime-2
json
[pictures]
cairo
browser | -
"""


class Machine:
    """A checkout on a machine that knows some packages and has some."""

    def __init__(self, folder, known, installed=(), broken=()):
        self.folder, self.root = folder, folder / "checkout"
        (self.root / "tools").mkdir(parents=True)
        shutil.copy(SOURCE / "tools/setup", self.root / "tools/setup")
        (self.root / "tools/apt-packages.txt").write_text(LIST)
        for name, names in (("known", known), ("installed", installed), ("broken", broken), ("calls", ())):
            (folder / name).write_text("".join(f"{each}\n" for each in names))
        (folder / "bin").mkdir()
        for name, text in FAKES.items():
            self.add(name, text)

    def add(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(self, command):
        environment = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "STATE": str(self.folder), "HOME": str(self.folder)}
        return subprocess.run(["bash", "-c", f". tools/setup; {command}"], cwd=self.root, env=environment,
                              capture_output=True, text=True)

    def calls(self, pattern):
        return re.findall(pattern, (self.folder / "calls").read_text())

    def installed(self):
        return set((self.folder / "installed").read_text().split())


OLD = ["compiler-1", "runtime-1", "json", "cairo", "browser", "unrelated"]
NEW = ["compiler-2", "runtime-2", "json", "cairo", "unrelated"]


@pytest.mark.parametrize("known, installed, after", [
    (OLD, [], {"compiler-1", "runtime-1", "json"}),
    (NEW, [], {"compiler-2", "runtime-2", "json"}),
    (OLD + NEW, [], {"compiler-1", "runtime-1", "json"}),
    (OLD + NEW, ["compiler-2", "runtime-2"], {"compiler-2", "runtime-2", "json"}),
    # Half of a set is not the set, and versions are not mixed.
    (NEW + ["compiler-1"], ["compiler-1"], {"compiler-1", "compiler-2", "runtime-2", "json"}),
])
def test_alternatives_are_taken_as_the_machine_has_and_knows_them(tmp_path, known, installed, after):
    machine = Machine(tmp_path, known, installed)
    run = machine.run("install_packages robot")
    assert run.returncode == 0, run.stderr
    assert machine.installed() == after


@pytest.mark.parametrize("known, wanted", [(OLD, {"cairo", "browser"}), (NEW, {"cairo"})])
def test_a_package_that_can_be_missed_is_installed_where_there_is_one(tmp_path, known, wanted):
    machine = Machine(tmp_path, known)
    assert machine.run("install_packages pictures").returncode == 0
    assert machine.installed() == wanted


def test_only_the_sections_asked_for_and_nothing_twice(tmp_path):
    machine = Machine(tmp_path, OLD)
    assert machine.run("install_packages robot && install_packages robot").returncode == 0
    assert len(machine.calls("apt-get .* install -y")) == 1
    assert "cairo" not in machine.installed()


def test_apt_asks_no_questions_even_through_sudo(tmp_path):
    machine = Machine(tmp_path, OLD)
    assert machine.run("install_packages robot pictures").returncode == 0
    calls = machine.calls("(.*) ?apt-get .*")
    assert len(calls) == 3 and {call.strip() for call in calls} == {"noninteractive"}


def test_packages_can_write_where_there_are_no_terminals(tmp_path):
    machine = Machine(tmp_path, OLD)
    machine.add("apt-get", """
for word in "$@"; do case $word in APT::Status-Fd=*) status=${word#*=} ;; esac; done
[ -n "$status" ] || exit 0
eval "exec $status>&-"  # as apt does to dpkg, which without /dev/pts gets no other standard output
echo "Setting up json" && echo compiler-1 runtime-1 json | tr " " "\\n" >> "$STATE/installed"
""")
    run = machine.run("install_packages robot")
    assert run.returncode == 0, run.stderr
    assert "json" in machine.installed()


def test_packages_that_apt_does_not_know_are_named_and_no_others(tmp_path):
    run = Machine(tmp_path, ["json", "compiler-1"]).run("install_packages robot pictures")
    assert run.returncode == 1
    assert "compiler-1 runtime-1 | compiler-2 runtime-2" in run.stderr and "cairo" in run.stderr
    assert "json" not in run.stderr and "browser" not in run.stderr


def test_a_failure_names_the_packages_that_are_still_missing(tmp_path):
    run = Machine(tmp_path, OLD, installed=["cairo"], broken=["json"]).run("install_packages robot pictures")
    assert run.returncode == 1
    failure = [line for line in run.stderr.splitlines() if "could not install" in line]
    assert "E: Unable to fetch json" in run.stderr
    assert failure and "json" in failure[0]
    for name in ("browser", "compiler-1", "cairo"):  # the first two came before it
        assert name not in failure[0]


DEMO = "configured POINTTREE_SIMULATION=ON || configure POINTTREE_LAB=OFF POINTTREE_SIMULATION=ON"
TEST = "configure POINTTREE_LAB=ON POINTTREE_SIMULATION=ON"


@pytest.mark.parametrize("commands, configurations, lab", [
    ([DEMO, DEMO], 1, "OFF"),
    ([DEMO, TEST, DEMO, TEST], 2, "ON"),
    ([TEST, DEMO, TEST], 1, "ON"),
])
def test_demo_and_test_share_a_build_that_keeps_its_lab(tmp_path, commands, configurations, lab):
    machine = Machine(tmp_path, [])
    for command in commands:
        assert machine.run(command).returncode == 0
    assert len(machine.calls("cmake -S")) == configurations
    assert f"POINTTREE_LAB:BOOL={lab}\n" in (machine.root / "build/CMakeCache.txt").read_text()


def test_a_moved_checkout_is_configured_anew(tmp_path):
    machine = Machine(tmp_path, [])
    assert machine.run(DEMO).returncode == 0
    (machine.root / "build/CMakeFiles").mkdir()
    machine.root = machine.root.rename(tmp_path / "moved")
    assert machine.run(DEMO).returncode == 0
    cache = (machine.root / "build/CMakeCache.txt").read_text()
    assert f"CMAKE_HOME_DIRECTORY:INTERNAL={machine.root}\n" in cache
    assert not (machine.root / "build/CMakeFiles").exists()


def test_libraries_of_another_processor_are_unpacked_once_and_without_root(tmp_path):
    machine = Machine(tmp_path, OLD)
    (machine.root / "tools/apt-packages.txt").write_text("[robot]\ncompiler\njson-dev\n[robot-tests]\ngtest-dev\n[lab]\nlab-dev\n")
    (tmp_path / "usr/lib").mkdir(parents=True)
    (tmp_path / "usr/lib/libjson.so.1").write_text("")
    (tmp_path / "usr/lib/libjson.so").symlink_to("/usr/lib/libjson.so.1")
    for name, text in (("apt-get", """
echo "apt-get $*" >> "$STATE/calls"
for word in "$@"; do case $word in Dir::Cache=*) touch "${word#*=}/archives/json.deb" ;; esac; done
echo "Need to get 3 kB of archives." """), ("dpkg-deb", 'tar -c -C "$STATE" usr'), ("sudo", "exit 1")):
        machine.add(name, text)
    run = machine.run("unpack_arm_libraries && unpack_arm_libraries")
    assert run.returncode == 0, run.stderr
    assert machine.calls("apt-get .* install .* --download-only (.*)") == ["gtest-dev json-dev"]
    assert (machine.root / "build/sysroot/lib/libjson.so").resolve() == machine.root / "build/sysroot/usr/lib/libjson.so.1"


def test_new_packages_are_looked_for_in_a_build_that_was_configured_before(tmp_path):
    machine = Machine(tmp_path, OLD)
    assert machine.run(f"{TEST}; install_packages pictures; {TEST}; {TEST}").returncode == 0
    assert len(machine.calls("cmake -S")) == 2


def test_programs_of_a_moved_environment_are_mended(tmp_path):
    machine = Machine(tmp_path, [])
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--symlinks", machine.root / ".venv"], check=True)
    machine.root = machine.root.rename(tmp_path / "moved")
    run = machine.run("mend_environment")
    assert run.returncode == 0, run.stderr
    done = subprocess.run([machine.root / ".venv/bin/pip", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and str(machine.root) in done.stdout


def test_progress_in_a_pipe_is_a_line_now_and_then(tmp_path):
    machine = Machine(tmp_path, [])
    assert machine.run("seq 100 | in_place").stdout == ""
    assert machine.run("{ echo a; sleep 1.2; echo b; echo c; } | in_place 1").stdout == "   b\n"


def test_what_apt_says_of_its_progress_is_made_readable(tmp_path):
    said = r"dlstatus:3:20.1:Retrieving file 3 of 161 (7s remaining)\nUnpacking a\npmstatus:a:41.67:Unpacking a (amd64)\n"
    shown = Machine(tmp_path, []).run(f"printf '{said}' | apt_status").stdout
    assert shown == "downloading package 3 of 161\n41 % Unpacking a (amd64)\n"
