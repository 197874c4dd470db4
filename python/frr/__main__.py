"""`python -m frr` is the program `frr`, which is installed beside Python. Commands on Parquet and
Arrow files, which that does not read, are done here."""

import os
import shutil
import sys
import sysconfig

from ._command import is_for_files, run


def main() -> None:
    command = is_for_files(sys.argv[1:])
    if command is not None:
        sys.exit(run(command))
    own = os.path.join(sysconfig.get_path("scripts"), "frr")
    program = own if os.path.exists(own) else shutil.which("frr")
    if program is None:
        sys.exit("the program frr is not installed beside this Python")
    os.execv(program, ["frr", *sys.argv[1:]])


if __name__ == "__main__":
    main()
