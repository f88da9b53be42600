# SPDX-License-Identifier: Apache-2.0
"""Clouds at a steady rate for a long time: is every frame accounted for, how late are answers, does memory grow?

In the environment of ROS 2 and of the package (see docs/robot.md):
  POINTTREE_BUILD=build python3 test/ros/soak.py --seconds 600 [--clouds FOLDER_OF_KITTI_SCANS] [-- node arguments...]
starts the node that POINTTREE_NODE names with the shipped model and prints a report as JSON. With --launch the node is that of
`ros2 launch pointtree pointtree.launch.py`, with no argument but the clouds' topic.
"""

import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from ros_client import INPUT, OUTPUT, PATIENCE, POINTTREE, make_cloud, read_clouds, running_node, settled


def kitti_clouds(folder):
    import numpy
    return [make_cloud(numpy.fromfile(scan, "<f4").reshape(-1, 4)[:, :3]) for scan in sorted(pathlib.Path(folder).rglob("*.bin"))]


def simulated_clouds(beams, columns, frames=5):
    with tempfile.TemporaryDirectory() as folder:
        bag = pathlib.Path(folder) / "street.mcap"
        subprocess.run([POINTTREE, "simulate", "--scene", "street", "--frames", str(frames), "--beams", str(beams),
                        "--columns", str(columns), "--output", bag], check=True, capture_output=True)
        return read_clouds(bag)


def resident(pid):
    """Megabytes of memory that the process holds."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS")


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def soak(pid, client, clouds, seconds, rate=10.0, warm_up=60.0, topic=INPUT):
    """Publishes the clouds in turn; what became of them. The first clouds, for `warm_up` seconds, don't count as growth."""
    answered = {}
    client.listen(OUTPUT + "segmentation", type(clouds[0]), keep=lambda cloud: answered.setdefault(
        cloud.header.stamp.sec, time.monotonic()))
    publisher = client.input(topic)
    client.spin(1.0)
    sent, memory = {}, []
    begin = time.monotonic()
    for number in range(int(seconds * rate)):
        cloud = clouds[number % len(clouds)]
        cloud.header.stamp.sec = number
        client.spin(begin + number / rate - time.monotonic())
        sent[number] = time.monotonic()
        publisher.publish(cloud)
        if number % int(rate) == 0:
            memory.append(resident(pid))
    took = time.monotonic() - begin
    end, counts = time.monotonic() + PATIENCE, client.counts(settled)
    while counts["received"] + counts["lost"] < len(sent) and time.monotonic() < end:
        counts = client.counts(settled)
    client.spin(2.0)  # answers on their way; a slow listener may still have missed some
    delays = [1e3 * (answered[number] - sent[number]) for number in answered]
    steady = memory[min(int(warm_up), len(memory) // 2):]
    return {
        "seconds": round(took, 1), "points": clouds[0].width * clouds[0].height, "sent": len(sent),
        **{key: counts[key] for key in ("received", "processed", "dropped", "rejected", "lost")},
        "counted nowhere": len(sent) - counts["received"] - counts["lost"], "answers heard": len(answered),
        "node latency p99 (ms)": float(counts["latency p99 (ms)"]), "node latency mean (ms)": float(counts["latency mean (ms)"]),
        "publish to answer p50 (ms)": round(percentile(delays, 0.5), 1), "publish to answer p99 (ms)": round(percentile(delays, 0.99), 1),
        "memory after warm-up (MB)": round(steady[0], 1), "memory at the end (MB)": round(steady[-1], 1),
        "memory most after warm-up (MB)": round(max(steady), 1)}


@contextlib.contextmanager
def started_node(arguments):
    with running_node(*arguments) as (process, client):
        yield process.pid, client


@contextlib.contextmanager
def launched_node(topic):
    sys.path.append(str(pathlib.Path(__file__).parent / "component"))
    from launch_process import Launch
    with Launch(input_topic=topic) as launch:
        launch.client.counts()
        container = subprocess.run(["pgrep", "-P", str(launch.process.pid), "-f", "component_container"], text=True,
                                   capture_output=True, check=True)
        yield int(container.stdout.split()[0]), launch.client


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=10.0)
    parser.add_argument("--clouds", help="folder with KITTI scans (.bin); without it, a simulated street of 64 beams")
    parser.add_argument("--launch", action="store_true", help="through pointtree.launch.py with its defaults")
    parser.add_argument("arguments", nargs="*", help="further arguments of the node")
    wanted = parser.parse_args()
    clouds = kitti_clouds(wanted.clouds) if wanted.clouds else simulated_clouds(64, 1800)
    topic = "/lidar/points" if wanted.launch else INPUT
    with launched_node(topic) if wanted.launch else started_node(wanted.arguments) as (pid, client):
        print(json.dumps(soak(pid, client, clouds, wanted.seconds, wanted.rate, topic=topic), indent=1))


if __name__ == "__main__":
    main()
