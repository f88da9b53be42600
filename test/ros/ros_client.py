# SPDX-License-Identifier: Apache-2.0
"""A node under test, and what talks to it: real processes over the real middleware, on loopback alone."""

import contextlib
import itertools
import os
import pathlib
import signal
import subprocess
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import PointCloud2, PointField

BIN = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "bin"
PROGRAM = BIN / os.environ.get("POINTTREE_NODE", "pointtree_standalone_node")
POINTTREE = BIN / os.environ.get("POINTTREE_PROGRAM", "pointtree")
INPUT = "/pointtree/input/pointcloud"
OUTPUT = "/pointtree/output/"
COUNTED = {"received", "processed", "dropped", "rejected", "lost"} | {f"rejected: {kind}" for kind in (
    "no_points", "no_valid_points", "short_data", "too_many_points", "missing_coordinates", "coordinate_type", "field_layout")}
PATIENCE = float(os.environ.get("POINTTREE_PATIENCE", "60"))  # seconds; loaded machines are slow

SEGMENTATION = OUTPUT + "segmentation"

_domains = itertools.count(int(os.environ.get("POINTTREE_FIRST_DOMAIN", "10")))


def next_domain():
    return next(_domains)


def read_messages(bag, topic=None):
    """Type and bytes of the messages of an MCAP file, in order."""
    try:
        from mcap.reader import make_reader
    except ImportError:  # where there is a whole ROS 2
        import rosbag2_py
        reader = rosbag2_py.SequentialReader()
        reader.open(rosbag2_py.StorageOptions(uri=str(bag), storage_id="mcap"), rosbag2_py.ConverterOptions("cdr", "cdr"))
        types = {entry.name: entry.type for entry in reader.get_all_topics_and_types()}
        while reader.has_next():
            name, data, _ = reader.read_next()
            if topic in (None, name):
                yield types[name], data
        return
    with open(bag, "rb") as file:
        for schema, _, message in make_reader(file).iter_messages(topics=topic and [topic]):
            yield schema.name, message.data


def read_clouds(bag, topic=None):
    """The clouds of an MCAP file, in order."""
    return [deserialize_message(data, PointCloud2) for kind, data in read_messages(bag, topic)
            if kind == "sensor_msgs/msg/PointCloud2"]


def model(models, name="objects"):
    return ("-p", f"model:={models / name}")


def make_cloud(points, stamp=1):
    """A cloud of float32 x y z from a list of triples."""
    import numpy
    data = numpy.asarray(points, dtype="<f4").reshape(-1, 3)
    cloud = PointCloud2(height=1, width=len(data), point_step=12, row_step=12 * len(data), is_dense=True)
    cloud.header.frame_id = "lidar"
    cloud.header.stamp.sec = stamp
    cloud.fields = [PointField(name=name, offset=4 * i, datatype=PointField.FLOAT32, count=1) for i, name in enumerate("xyz")]
    cloud.data = data.tobytes()
    return cloud


class Client:
    """An rclpy node in a domain of its own that publishes clouds and remembers what it hears."""

    def __init__(self, domain, watched=None):
        self.watched = watched  # full name of the node whose diagnostics count, where there are several
        self.domain = domain
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = Node("client", context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.heard = {}
        self.counted_before = {}
        self.listen("/diagnostics", DiagnosticArray)

    def close(self):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def listen(self, topic, kind, reliable=True, keep=None, **qos):
        policy = ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
        heard = self.heard.setdefault(topic, [])
        self.node.create_subscription(kind, topic, keep or heard.append, QoSProfile(depth=50, reliability=policy, **qos))
        return heard

    def publisher(self, topic=INPUT, kind=PointCloud2, reliable=True):
        policy = ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
        return self.node.create_publisher(kind, topic, QoSProfile(depth=50, reliability=policy))

    def input(self, topic=INPUT, reliable=True):
        """A publisher of clouds that the node is known to hear: it counted empty ones, which are counted no more."""
        publisher = self.publisher(topic, reliable=reliable)
        before = self.counts(settled)["received"]
        empty = PointCloud2()

        def counted():
            publisher.publish(empty)
            return self.counts(settled)["received"] > before

        self.until(counted, f"the node does not hear {topic}")
        self.spin(1.0)
        counts = self.counts(settled)
        for key, count in counts.items():
            if key in COUNTED:
                self.counted_before[key] = self.counted_before.get(key, 0) + count
        return publisher

    def until(self, condition, complaint, patience=PATIENCE):
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, complaint() if callable(complaint) else complaint
            self.executor.spin_once(timeout_sec=0.05)

    def spin(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.executor.spin_once(timeout_sec=min(left, 0.05))

    def call(self, kind, service, request):
        client = self.node.create_client(kind, service)
        self.until(client.service_is_ready, f"no service {service}")
        future = client.call_async(request)
        self.until(future.done, f"{service} does not answer")
        return future.result()

    def start(self, *command):
        """Starts a program in this domain."""
        return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, "ROS_DOMAIN_ID": str(self.domain)})

    def connect(self, topic, kind=PointCloud2, **options):
        """Listens to an output and waits until the node knows."""
        heard = self.listen(topic, kind, **options)
        self.until(lambda: self.node.count_publishers(topic) > 0, f"nobody publishes {topic}")
        self.spin(0.5)
        return heard

    def counts(self, condition=lambda counts: True):
        """The figures of the next diagnostic message for which the condition holds."""
        heard = self.heard["/diagnostics"]
        heard.clear()

        def latest():
            statuses = [array.status[0] for array in heard
                        if self.watched is None or array.status[0].name == f"{self.watched}: perception"]
            if not statuses:
                return None
            counts = {entry.key: entry.value for entry in statuses[-1].values}
            return {key: int(value) - self.counted_before.get(key, 0) if key in COUNTED else value
                    for key, value in counts.items()}

        self.until(lambda: latest() and condition(latest()), lambda: f"diagnostics never came as hoped for; last: {latest()}")
        return latest()


def settled(counts):
    """Whether every received cloud was accounted for."""
    return counts["received"] == counts["processed"] + counts["dropped"] + counts["rejected"]


@contextlib.contextmanager
def running_node(*arguments, program=PROGRAM, before=(), domain=None, environment=None):
    """Starts the node in a fresh domain; yields (process, client) and stops both."""
    domain = next_domain() if domain is None else domain
    process = subprocess.Popen(
        [str(program), *before, "--ros-args", "-p", "diagnostics.period:=0.2", *arguments], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "ROS_DOMAIN_ID": str(domain), **(environment or {})})
    client = Client(domain)
    try:
        yield process, client
        assert process.poll() in (None, 0), f"the node ended by itself:\n{process.stdout.read()}"
    finally:
        client.close()
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert process.returncode == 0, f"the node ended with code {process.returncode}:\n{process.stdout.read()}"


def finished_node(*arguments):
    """Runs a node that must refuse to start; its exit code and everything it said."""
    done = subprocess.run([str(PROGRAM), "--ros-args", *arguments], text=True, capture_output=True, timeout=PATIENCE,
                          env={**os.environ, "ROS_DOMAIN_ID": str(next_domain())})
    return done.returncode, done.stdout + done.stderr
