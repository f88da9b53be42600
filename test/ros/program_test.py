# SPDX-License-Identifier: Apache-2.0
"""The node behind the package's program."""

from ros_client import OUTPUT, POINTTREE, read_clouds, running_node


def test_the_program_starts_the_node(models, street):
    with running_node(program=POINTTREE, before=("node", "--model", str(models / "objects"))) as (_, client):
        heard = client.connect(OUTPUT + "segmentation")
        client.input().publish(read_clouds(street)[0])
        client.until(lambda: heard, "no answer")
