# SPDX-License-Identifier: Apache-2.0
"""Generates C, C++ and Python code from msg/ with the rosidl wheels of PyPI.

usage: generate_messages.py PACKAGE SOURCE_FOLDER OUTPUT_FOLDER PREFIX
The wheels register their entry points twice, so that the `rosidl` program refuses to start: their generators are called
one by one, with the arguments that rosidl's own CMake code gives them.
"""

import json
import pathlib
import sys

from rosidl_adapter.msg import convert_msg_to_idl
from rosidl_generator_c import generate_c
from rosidl_generator_cpp import generate_cpp
from rosidl_generator_py import generate_py
from rosidl_generator_type_description import generate_type_hash
from rosidl_typesupport_c import generate_c as dispatch_c
from rosidl_typesupport_cpp import generate_cpp as dispatch_cpp
from rosidl_typesupport_fastrtps_c import generate_typesupport_fastrtps_c as fastrtps_c
from rosidl_typesupport_fastrtps_cpp import generate_cpp as fastrtps_cpp
from rosidl_typesupport_introspection_c import generate_c as introspection_c
from rosidl_typesupport_introspection_cpp import generate_cpp as introspection_cpp

C_SUPPORTS = ["rosidl_typesupport_fastrtps_c", "rosidl_typesupport_introspection_c"]
CPP_SUPPORTS = ["rosidl_typesupport_fastrtps_cpp", "rosidl_typesupport_introspection_cpp"]
VISIBILITY_HEADERS = {
    "rosidl_generator_c": "rosidl_generator_c__visibility_control.h",
    "rosidl_generator_cpp": "rosidl_generator_cpp__visibility_control.hpp",
    "rosidl_typesupport_fastrtps_c": "rosidl_typesupport_fastrtps_c__visibility_control.h",
    "rosidl_typesupport_fastrtps_cpp": "rosidl_typesupport_fastrtps_cpp__visibility_control.h",
    "rosidl_typesupport_introspection_c": "rosidl_typesupport_introspection_c__visibility_control.h",
}


def main():
    package = sys.argv[1]
    source, output, prefix = (pathlib.Path(argument).absolute() for argument in sys.argv[2:])
    share = prefix / "share"
    (output / "idl/msg").mkdir(parents=True, exist_ok=True)
    messages = sorted(path.relative_to(source) for path in source.glob("msg/*.msg"))
    for message in messages:
        convert_msg_to_idl(source, package, message, output / "idl/msg")

    names = [message.with_suffix(".idl") for message in messages]
    arguments = {
        "package_name": package,
        "idl_tuples": [f"{output / 'idl'}:{name}" for name in names],
        "include_paths": [f"{folder.name}:{folder}" for folder in share.iterdir() if (folder / "msg").is_dir()],
        "ros_interface_dependencies": [],
        "target_dependencies": [str(output / "idl" / name) for name in names],
        "type_description_tuples": [],
    }

    def run(generator, template_package, folder, *more):
        arguments["output_dir"] = str(output / folder)
        arguments["template_dir"] = str(share / template_package / "resource")
        file = output / f"{generator.__module__}.{generator.__name__}.json"
        file.write_text(json.dumps(arguments))
        generator(str(file), *more)

    run(generate_type_hash, "rosidl_generator_type_description", "types")
    arguments["type_description_tuples"] = [f"{name}:{output / 'types' / name.with_suffix('.json')}" for name in names]
    # Several generators use the same file names, so that each has a folder of its own: FOLDER/PACKAGE/msg/detail/…
    run(generate_c, "rosidl_generator_c", f"generator_c/{package}")
    run(generate_cpp, "rosidl_generator_cpp", f"generator_cpp/{package}")
    run(dispatch_c, "rosidl_typesupport_c", f"typesupport_c/{package}", C_SUPPORTS)
    run(dispatch_cpp, "rosidl_typesupport_cpp", f"typesupport_cpp/{package}", CPP_SUPPORTS)
    run(fastrtps_c, "rosidl_typesupport_fastrtps_c", f"typesupport_fastrtps_c/{package}")
    run(fastrtps_cpp, "rosidl_typesupport_fastrtps_cpp", f"typesupport_fastrtps_cpp/{package}")
    run(introspection_c, "rosidl_typesupport_introspection_c", f"typesupport_introspection_c/{package}")
    run(introspection_cpp, "rosidl_typesupport_introspection_cpp", f"typesupport_introspection_cpp/{package}")
    run(generate_py, "rosidl_generator_py", f"python/{package}", ["rosidl_typesupport_c"])
    for template_package, name in VISIBILITY_HEADERS.items():
        text = (share / template_package / f"resource/{name}.in").read_text()
        text = text.replace("@PROJECT_NAME@", package).replace("@PROJECT_NAME_UPPER@", package.upper())
        (output / template_package.replace("rosidl_", "") / package / "msg" / name).write_text(text)


main()
