# SPDX-License-Identifier: Apache-2.0
"""How a node behaves, seen from outside."""

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

import pytest
from pointtree.msg import LabeledObjectArray
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import (DescribeParameters, GetParameters, ListParameters, SetParameters,
                                SetParametersAtomically)
from rclpy.qos import ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.utilities import get_rmw_implementation_identifier
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Float64
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

from ros_client import (INPUT, OUTPUT, POINTTREE, finished_node, make_cloud, model, read_clouds, read_messages, running_node,
                        settled)


def parameter(name, value):
    kinds = {bool: ("bool_value", ParameterType.PARAMETER_BOOL), int: ("integer_value", ParameterType.PARAMETER_INTEGER),
             float: ("double_value", ParameterType.PARAMETER_DOUBLE), str: ("string_value", ParameterType.PARAMETER_STRING)}
    field, kind = kinds[type(value)]
    return Parameter(name=name, value=ParameterValue(type=kind, **{field: value}))


def set_parameters(client, **values):
    request = SetParameters.Request(parameters=[parameter(name.replace("__", "."), value) for name, value in values.items()])
    return client.call(SetParameters, "/pointtree/set_parameters", request).results


def get_parameter(client, name):
    return client.call(GetParameters, "/pointtree/get_parameters", GetParameters.Request(names=[name])).values[0]


@pytest.mark.parametrize("kind", ["objects", "blocks"])
def test_labels_are_those_of_replay(models, street, tmp_path, kind):
    labelled = tmp_path / "labelled.mcap"
    subprocess.run([POINTTREE, "replay", street, "--model", models / kind, "--labels", "none", "--output", labelled], check=True,
                   capture_output=True)
    kinds = {"segmentation": PointCloud2, "visualization": PointCloud2, "objects": LabeledObjectArray, "markers": MarkerArray}
    with running_node(*model(models, kind)) as (_, client):
        heard = {name: client.connect(OUTPUT + name, kind) for name, kind in kinds.items()}
        publisher = client.input()
        for number, cloud in enumerate(read_clouds(street), start=1):
            publisher.publish(cloud)
            client.until(lambda: all(len(each) == number for each in heard.values()), f"cloud {number} was not answered")
    for name, kind in kinds.items():
        expected = [deserialize_message(data, kind) for _, data in read_messages(labelled, OUTPUT + name)]
        assert len(heard[name]) == len(expected) == 4
        for answer, truth in zip(heard[name], expected):
            assert answer == truth or repr(answer) == repr(truth), name  # an unknown entropy (NaN) does not equal itself


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(models, street, how):
    with running_node(*model(models)) as (process, client):
        publisher = client.input()
        publisher.publish(read_clouds(street)[0])
        process.send_signal(how)
        assert process.wait(timeout=30) == 0, process.stdout.read()


@pytest.mark.parametrize("arguments, complaint", [
    (["-p", "voxel_size:=-1.0"], "voxel_size: expected a number from 0 to 10 m, found -1.0"),
    (["-p", "mode:=rooms"], "mode: expected objects | blocks | scene, found 'rooms'"),
    (["-p", "no_such:=1"], "there is no parameter 'no_such'"),
    (["-p", "device:=gpu"], "device: expected auto, cpu or cuda:N, found 'gpu'"),
    (["-p", "model:=/no/such/folder"], "/no/such/folder"),
    (["-p", "crop.min_range:=90.0"], "crop.min_range is 90"),
    (["-p", "use_sim_time:=3"], "use_sim_time"),
])
def test_wrong_parameters_are_refused_at_start(models, arguments, complaint):
    code, text = finished_node(*model(models), *arguments)
    assert code == 1, text
    assert complaint in text


def test_parameters_are_described_and_checked_on_change(models):
    with running_node(*model(models), "-p", "voxel_size:=1") as (_, client):
        assert get_parameter(client, "voxel_size").double_value == 1.0
        good, out_of_range, wrong_type, unknown, fixed = (
            set_parameters(client, **change)[0]
            for change in ({"min_confidence": 0.25}, {"min_confidence": 2.0}, {"max_objects": 0.5}, {"nonsense": 1},
                           {"input_qos__depth": 7}))
        assert good.successful, good.reason
        # rclcpp refuses some by itself, in its own words.
        assert not out_of_range.successful and ("from 0 to 1" in out_of_range.reason or "range" in out_of_range.reason)
        assert not wrong_type.successful and "integer" in wrong_type.reason
        assert not unknown.successful and "'nonsense'" in unknown.reason
        assert not fixed.successful
        assert get_parameter(client, "min_confidence").double_value == 0.25
        request = SetParametersAtomically.Request(parameters=[parameter("seed", 9), parameter("crop.max_range", -1.0)])
        assert not client.call(SetParametersAtomically, "/pointtree/set_parameters_atomically", request).result.successful
        assert get_parameter(client, "seed").integer_value == 1
        request = DescribeParameters.Request(names=["cluster.tolerance"])
        described = client.call(DescribeParameters, "/pointtree/describe_parameters", request).descriptors[0]
        assert described.floating_point_range[0].from_value == 0.01 and described.description
        listed = client.call(ListParameters, "/pointtree/list_parameters", ListParameters.Request(prefixes=["crop"])).result
        assert sorted(listed.names) == ["crop.max_height", "crop.max_range", "crop.min_height", "crop.min_range"]


def test_a_new_model_takes_over_and_a_bad_one_does_not(models, street):
    with running_node(*model(models)) as (_, client):
        heard = client.connect(OUTPUT + "objects", LabeledObjectArray)
        publisher = client.input()
        first = client.counts()
        assert first["model"] == "random_1"
        assert set_parameters(client, model=str(models / "other"))[0].successful
        assert client.counts(lambda counts: counts["model"] == "random_2")["checksum"] != first["checksum"]
        refused = set_parameters(client, model="/no/such/folder")[0]
        assert not refused.successful and "/no/such/folder" in refused.reason
        mismatch = set_parameters(client, model=str(models / "blocks"))[0]
        assert not mismatch.successful
        answer = client.call(Trigger, "/pointtree/reload_model", Trigger.Request())
        assert answer.success and "random_2" in answer.message
        publisher.publish(read_clouds(street)[0])
        client.until(lambda: heard, "no answer after all that")
        assert client.counts()["model"] == "random_2"


def test_paused_it_drops_and_resumed_it_works(models, street):
    cloud = read_clouds(street)[0]
    with running_node(*model(models), "-p", "paused:=true") as (_, client):
        heard = client.connect(OUTPUT + "segmentation")
        publisher = client.input()
        publisher.publish(cloud)
        assert client.counts(lambda counts: counts["dropped"] == 1)["processed"] == 0
        assert set_parameters(client, paused=False)[0].successful
        publisher.publish(cloud)
        client.until(lambda: heard, "no answer after resuming")


def bad_clouds(good):
    def changed(**changes):
        cloud = make_cloud([[5.0, 0.0, 1.0]] * 50)
        for name, value in changes.items():
            setattr(cloud, name, value)
        return cloud

    nan = float("nan")
    wrong_fields = changed()
    wrong_fields.fields = wrong_fields.fields[:2]
    integers = changed()
    integers.fields[0].datatype = 5
    outside = changed()
    outside.fields[2].offset = 4000000000
    return {
        "no_points": changed(width=0, data=b""),
        "no_valid_points": make_cloud([[nan, nan, nan]] * 50),
        "short_data": changed(data=b"123"),
        "too_many_points": changed(width=4000000000, height=4000000000),
        "missing_coordinates": wrong_fields,
        "coordinate_type": integers,
        "field_layout": outside,
    }


def test_bad_clouds_are_counted_by_kind_and_survived(models, street):
    good = read_clouds(street)[0]
    with running_node(*model(models)) as (process, client):
        heard = client.connect(OUTPUT + "segmentation")
        publisher = client.input()
        cases = bad_clouds(good)
        for number, (kind, cloud) in enumerate(cases.items(), start=1):
            for repetition in range(2):
                publisher.publish(cloud)
                wanted = 2 * number - 1 + repetition
                counts = client.counts(lambda counts: counts["rejected"] == wanted)
            assert counts[f"rejected: {kind}"] == 2, counts
        publisher.publish(good)
        client.until(lambda: heard, "a good cloud after bad ones was not answered")
        counts = client.counts(settled)
        assert counts["rejected"] == 2 * len(cases) and counts["processed"] == 1
    reported = [line for line in process.stdout.read().splitlines() if "cloud rejected" in line]
    assert len(reported) == len(cases), "each kind is reported once"


def test_bytes_in_the_other_order_give_the_same_labels(models, street):
    import numpy
    cloud = read_clouds(street)[0]
    swapped = make_cloud([[0, 0, 0]])
    swapped.header, swapped.height, swapped.width = cloud.header, cloud.height, cloud.width
    points = numpy.frombuffer(bytes(cloud.data), numpy.uint8).reshape(-1, cloud.point_step)[:, :12].copy().view("<f4")
    little = make_cloud(points)
    little.header = cloud.header
    swapped.height, swapped.width = 1, little.width
    swapped.row_step, swapped.is_bigendian, swapped.data = little.row_step, True, points.astype(">f4").tobytes()
    with running_node(*model(models)) as (_, client):
        heard = client.connect(OUTPUT + "segmentation")
        publisher = client.input()
        for number, each in enumerate((little, swapped), start=1):
            publisher.publish(each)
            client.until(lambda: len(heard) == number, "no answer")
    assert heard[0].data == heard[1].data


def test_of_many_clouds_at_once_the_newest_are_answered_and_all_are_counted(models, street):
    clouds = read_clouds(street)
    with running_node(*model(models), "-p", "input_qos.reliability:=reliable", "-p", "input_qos.depth:=100") as (_, client):
        heard = client.connect(OUTPUT + "segmentation")
        publisher = client.input()
        for number in range(40):
            cloud = clouds[number % 4]
            cloud.header.stamp.sec = number
            publisher.publish(cloud)
        counts = client.counts(lambda counts: counts["received"] == 40 and settled(counts))
        assert counts["processed"] >= 1 and counts["dropped"] >= 1, counts
        client.until(lambda: len(heard) == counts["processed"], "counted but not published")
        stamps = [cloud.header.stamp.sec for cloud in heard]
        assert stamps == sorted(stamps) and stamps[-1] == 39, stamps


def test_clouds_that_the_middleware_lost_are_counted(models, street):
    cloud = read_clouds(street)[0]
    with running_node(*model(models), "-p", "input_qos.reliability:=reliable", "-p", "input_qos.depth:=1") as (process, client):
        publisher = client.input()
        process.send_signal(signal.SIGSTOP)
        for _ in range(40):
            publisher.publish(cloud)
        process.send_signal(signal.SIGCONT)
        counts = client.counts(lambda counts: counts["received"] + counts["lost"] == 40 and settled(counts))
        assert counts["lost"] > 0, counts


def test_quality_of_service_in_and_out(models, street):
    cloud = read_clouds(street)[0]
    with running_node(*model(models)) as (_, client):
        heard = client.connect(OUTPUT + "segmentation", reliable=True)

        def asked():
            asked = [info.qos_profile.reliability for info in client.node.get_subscriptions_info_by_topic(INPUT)]
            return asked[0] if len(asked) == 1 else None

        assert asked() == ReliabilityPolicy.RELIABLE
        for number, publisher in enumerate((client.input(reliable=True), client.input(reliable=False)), start=1):
            publisher.publish(cloud)
            client.until(lambda: len(heard) == number, "the default input hears both kinds of publishers")
        assert asked() == ReliabilityPolicy.BEST_EFFORT
        client.node.destroy_publisher(publisher)
        client.until(lambda: asked() == ReliabilityPolicy.RELIABLE, "it does not decide anew")
    arguments = ("-p", "input_qos.reliability:=reliable", "-p", "output_qos.reliability:=best_effort")
    with running_node(*model(models), *arguments) as (_, client):
        deaf = client.connect(OUTPUT + "segmentation", reliable=True)
        best_effort = client.publisher(reliable=False)
        publisher = client.input(reliable=True)
        best_effort.publish(cloud)
        client.spin(1.0)
        publisher.publish(cloud)
        counts = client.counts(lambda counts: counts["processed"] == 1)
        assert counts["received"] == 1 and not deaf


SILENCE = "no cloud on /pointtree/input/pointcloud for 5 s"


@pytest.mark.parametrize("kind, reliable, arguments, explanation", [
    (None, True, [], "nobody publishes there"),
    (Float64, True, [], "/client publishes std_msgs/msg/Float64, expected sensor_msgs/msg/PointCloud2"),
    (PointCloud2, False, ["-p", "input_qos.reliability:=reliable"], "/client offers best_effort"),
    (PointCloud2, False, [], "/client publishes (best_effort), but nothing arrives"),
])
def test_silence_is_explained_once_and_its_end_reported(models, kind, reliable, arguments, explanation):
    with running_node(*model(models), *arguments, "-p", "diagnostics.silence_timeout:=5.0") as (process, client):
        lines = []
        reader = threading.Thread(target=lambda: [lines.append(line) for line in process.stdout])
        reader.start()
        publisher = kind and client.publisher(INPUT, kind, reliable)
        client.until(lambda: any(SILENCE in line for line in list(lines)), "the node does not warn")
        client.spin(2.0)  # it warns no second time
        client.node.destroy_publisher(publisher) if publisher else None
        client.input()
    reader.join()
    warnings = [line for line in lines if SILENCE in line]
    assert len(warnings) == 1 and explanation in warnings[0], lines
    assert sum("clouds arrive on /pointtree/input/pointcloud now" in line for line in lines) == 1, lines
    assert any("mode objects, input /pointtree/input/pointcloud (sensor_msgs/msg/PointCloud2), reliability" in line for line in lines), lines
    assert any("model random_1" in line and "on cpu" in line for line in lines), lines


def test_filtered_points_are_those_of_the_input(models, street):
    cloud = read_clouds(street)[0]
    with running_node(*model(models)) as (_, client):
        heard = client.connect(OUTPUT + "filtered")
        client.input().publish(cloud)
        client.until(lambda: heard, "no answer")
        assert heard[0].header == cloud.header and heard[0].fields == cloud.fields
        assert 0 < heard[0].width < cloud.width * cloud.height, "the ground is left out"
        refused = set_parameters(client, filter__classes="lorry")[0]
        assert not refused.successful and "filter.classes: 'lorry' is no class of the model" in refused.reason


@pytest.fixture
def mapped_model(models, tmp_path):
    folder = tmp_path / "mapped"
    shutil.copytree(models / "objects", folder)
    (folder / "autoware.yaml").write_text("0: CAR\n1: PEDESTRIAN\n2: STRUCTURE\n3: TRUCK\n")
    return folder


def test_points_have_the_numbers_of_autoware_where_asked_for(models, mapped_model, street):
    import numpy
    cloud = read_clouds(street)[0]
    numbers = numpy.full(256, 255, numpy.uint8)
    numbers[:4] = 0, 5, 9, 1

    def classes(message):
        return numpy.frombuffer(bytes(message.data), numpy.uint8).reshape(-1, message.point_step)[:, 12]

    with running_node(*model(models), "-p", "min_confidence:=0.0") as (_, client):
        refused = set_parameters(client, segmentation__class_ids="autoware")[0]
        assert not refused.successful and "has no autoware.yaml" in refused.reason
        heard = client.connect(OUTPUT + "segmentation")
        publisher = client.input()
        publisher.publish(cloud)
        client.until(lambda: len(heard) == 1, "no answer")
        changes = SetParametersAtomically.Request(parameters=[
            parameter("model", str(mapped_model)), parameter("segmentation.class_ids", "autoware")])
        assert client.call(SetParametersAtomically, "/pointtree/set_parameters_atomically", changes).result.successful
        publisher.publish(cloud)
        client.until(lambda: len(heard) == 2, "no answer")
    models_own, autowares = classes(heard[0]), classes(heard[1])
    known = models_own != 255
    assert known.any() and (autowares[known] == numbers[models_own[known]]).all()
    assert set(autowares[~known]) == {8, 255}, "the ground is FLAT_SURFACE, the rest INVALID"


def test_objects_for_autoware_have_its_labels(mapped_model, street):
    messages = pytest.importorskip("autoware_perception_msgs.msg", reason="no autoware_perception_msgs in this ROS 2")
    cloud = read_clouds(street)[0]
    labels = {0: 1, 1: 7, 2: 0, 3: 2}
    with running_node("-p", f"model:={mapped_model}", "-p", "min_confidence:=0.0") as (_, client):
        heard = client.connect(OUTPUT + "detected_objects", messages.DetectedObjects)
        truth = client.connect(OUTPUT + "objects", LabeledObjectArray)
        client.input().publish(cloud)
        client.until(lambda: heard and truth, "no answer")
    expected = [found for found in truth[0].objects if found.class_id != 255]
    assert heard[0].header == cloud.header and len(heard[0].objects) == len(expected) > 0
    for answer, found in zip(heard[0].objects, expected):
        sums = {}
        for number, score in enumerate(found.scores):
            label = labels.get(number, 0)
            sums[label] = sums.get(label, 0.0) + score
        assert {one.label: pytest.approx(one.probability, abs=1e-5) for one in answer.classification} == sums
        assert answer.classification[0].probability == max(one.probability for one in answer.classification)
        assert answer.kinematics.pose_with_covariance.pose == found.pose and answer.shape.dimensions == found.size


def test_simulated_time(models, street):
    cloud = read_clouds(street)[0]
    with running_node(*model(models), "-p", "use_sim_time:=true") as (_, client):
        heard = client.connect(OUTPUT + "segmentation")
        publisher = client.input()
        clock = client.publisher("/clock", Clock)
        now = Clock()
        now.clock.sec = 1234
        diagnostics = client.heard["/diagnostics"]

        def tick():
            clock.publish(now)
            return diagnostics and diagnostics[-1].header.stamp.sec == 1234

        client.until(tick, "diagnostics are not stamped with simulated time")
        cloud.header.stamp.sec, cloud.header.stamp.nanosec = 1233, 0
        publisher.publish(cloud)
        client.until(lambda: heard, "no answer")
        assert heard[0].header == cloud.header
        assert client.counts(lambda counts: counts["processed"] == 1)["age of last cloud (ms)"] == "1000.00"


def test_namespaces_remaps_and_parameter_files(models, street, tmp_path):
    file = tmp_path / "robot.yaml"
    file.write_text("/**:\n  ros__parameters:\n    min_confidence: 0.125\n    seed: 3\n"
                    "/other/node:\n  ros__parameters:\n    seed: 4\n"
                    f"/truck/lidar:\n  ros__parameters:\n    model: {models / 'objects'}\n    cluster: {{min_points: 30}}\n")
    arguments = ("--params-file", str(file), "-r", "__ns:=/truck", "-r", "__node:=lidar", "-r", "~/input/pointcloud:=/points")
    with running_node(*arguments) as (_, client):
        heard = client.connect("/truck/lidar/output/segmentation")
        client.input("/points").publish(read_clouds(street)[0])
        client.until(lambda: heard, "no answer on the remapped topics")
        request = GetParameters.Request(names=["min_confidence", "seed", "cluster.min_points"])
        values = client.call(GetParameters, "/truck/lidar/get_parameters", request).values
        assert (values[0].double_value, values[1].integer_value, values[2].integer_value) == (0.125, 3, 30)


def test_another_domain_hears_nothing(models):
    with running_node(*model(models), environment={"ROS_DOMAIN_ID": "101"}) as (_, client):
        client.spin(3.0)
        assert client.node.count_subscribers(INPUT) == 0


def test_every_output_arrives_with_the_header_of_the_cloud(models, street):
    cloud = read_clouds(street)[0]
    with running_node(*model(models), "-p", "min_confidence:=0.0") as (_, client):
        heard = {name: client.connect(OUTPUT + name, kind) for name, kind in (
            ("segmentation", PointCloud2), ("visualization", PointCloud2), ("objects", LabeledObjectArray), ("markers", MarkerArray))}
        times = [client.connect(f"/pointtree/debug/processing_time_ms/{stage}", Float64)
                 for stage in ("ingest", "segment", "tree", "network", "total")]
        client.input().publish(cloud)
        client.until(lambda: all(heard.values()) and all(times), "an output is missing")
        objects = heard["objects"][0]
        assert objects.header == cloud.header and len(objects.class_names) == 5 and objects.objects
        first = objects.objects[0]
        assert first.class_name == objects.class_names[first.class_id]
        assert abs(sum(first.scores) - 1.0) < 1e-4 and first.confidence == pytest.approx(max(first.scores))
        boxes = [marker for marker in heard["markers"][0].markers if marker.ns in ("boxes", "unknown_boxes")]
        assert len(boxes) == len(objects.objects)
        picture = heard["visualization"][0]
        assert picture.header == cloud.header and [field.name for field in picture.fields] == ["x", "y", "z", "rgb"]
        assert sum(stage[0].data for stage in times[:4]) <= times[4][0].data


def test_nothing_leaves_the_loopback_interface(models):
    """Every socket of the node is bound to 127.0.0.1 or to a multicast group joined there.

    Cyclone DDS listens on any address, but sends from a socket bound to 127.0.0.1 and joins no group.
    """
    with running_node(*model(models)) as (process, client):
        client.input()
        inodes = set()
        for descriptor in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
            target = os.readlink(descriptor)
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
        lines = pathlib.Path(f"/proc/{process.pid}/net/udp").read_text().splitlines()[1:]
        local = {line.split()[1].split(":")[0] for line in lines if line.split()[9] in inodes}
    allowed = {"0100007F", "00000000"} if "cyclonedds" in get_rmw_implementation_identifier() else {"0100007F", "0100FFEF"}
    assert "0100007F" in local and local <= allowed, local
