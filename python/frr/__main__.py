"""`python -m frr` is the program `frr`, which is installed beside Python."""

import os
import shutil
import sys
import sysconfig


def main() -> None:
    own = os.path.join(sysconfig.get_path("scripts"), "frr")
    program = own if os.path.exists(own) else shutil.which("frr")
    if program is None:
        sys.exit("the program frr is not installed beside this Python")
    os.execv(program, ["frr", *sys.argv[1:]])


if __name__ == "__main__":
    main()
