"""Some servers on one machine, until a signal says stop.

python -m deploy.servers --count 2 --port 50051 --management-port 9090
"""

import argparse
import signal
import subprocess
import sys
import types
from pathlib import Path


def main() -> int:
    """Run them, and end with them; the exit code is the worst of theirs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--port", type=int, default=50051)
    parser.add_argument("--management-port", type=int, default=9090)
    given, flags = parser.parse_known_args()
    command = Path(sys.executable).with_name("shisanzhi")
    servers = [
        subprocess.Popen(
            [
                *(command, "serve", "--port", str(given.port + i)),
                *("--management-port", str(given.management_port + i), *flags),
            ]
        )
        for i in range(given.count)
    ]

    def stop(number: int, _frame: types.FrameType | None) -> None:
        for server in servers:
            server.send_signal(number)

    signal.signal(signal.SIGTERM, stop)
    # At a keyboard ^C reaches them by itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    return max(server.wait() for server in servers)


if __name__ == "__main__":
    sys.exit(main())
