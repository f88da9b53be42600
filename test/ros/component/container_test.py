# SPDX-License-Identifier: Apache-2.0
"""The node as a component: loaded, unloaded, beside another one."""

import pytest

from container import running_container
from ros_client import OUTPUT, read_clouds

MEGABYTE = 1024  # kB


@pytest.mark.parametrize("kind", ["component_container", "component_container_mt"])
def test_fifty_times_loaded_and_unloaded_nothing_is_left(models, kind):
    rounds, warm_up = 50, 10  # caches and pools of LibTorch and the middleware fill first
    with running_container(kind) as container:
        for number in range(rounds):
            container.unload(container.load(models / "objects"))
            if number == warm_up - 1:
                memory, threads = container.status("VmRSS"), container.status("Threads")
        grown = container.status("VmRSS") - memory
        assert container.status("Threads") <= threads
        assert grown < 10 * MEGABYTE, f"{grown} kB more after {rounds - warm_up} further rounds"


def test_unloaded_at_work_and_loaded_again_it_answers(models, street):
    clouds = read_clouds(street)
    with running_container() as container:
        for _ in range(5):
            number = container.load(models / "objects")
            heard = container.client.connect(OUTPUT + "segmentation")
            publisher = container.client.input()
            before = len(heard)
            publisher.publish(clouds[0])
            container.client.until(lambda: len(heard) > before, "no answer")
            for cloud in clouds:  # still at work when it is taken away
                publisher.publish(cloud)
            container.unload(number)
            container.client.counted_before.clear()
            container.client.node.destroy_publisher(publisher)


@pytest.mark.parametrize("intra_process", [False, True])
def test_two_nodes_in_one_container(models, street, intra_process):
    cloud = read_clouds(street)[0]
    with running_container(watched="/first") as container:
        client = container.client
        for name, model in (("first", "objects"), ("second", "other")):
            assert isinstance(container.load(models / model, name, intra_process), int)
        heard = {name: client.connect(f"/{name}/output/segmentation") for name in ("first", "second")}
        for name in heard:
            client.watched = "/" + name
            client.counted_before.clear()
            client.input(f"/{name}/input/pointcloud").publish(cloud)
            client.until(lambda: heard[name], f"{name} does not answer")
        assert len(heard["first"]) == len(heard["second"]) == 1
        assert heard["first"][0].data != heard["second"][0].data, "two models, one answer"


def test_a_wrong_parameter_is_refused_and_the_container_lives(models):
    with running_container() as container:
        refusal = container.load("/no/such/folder")
        assert isinstance(refusal, str) and "/no/such/folder" in refusal
        assert isinstance(container.load(models / "objects"), int)
