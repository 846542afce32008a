"""curl, as a developer of a game engine would use it first."""

import json
import subprocess
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def curl(url: str, *words: str, body: bytes | None = None) -> Answer:
    """Run curl; a body is sent as it is."""
    sent = ["--data-binary", "@-"] if body is not None else []
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--include", "--max-time", "30", *sent, *words, url],  # noqa: S607
        input=body,
        capture_output=True,
        check=True,
    )
    head, _, rest = done.stdout.partition(b"\r\n\r\n")
    while head.startswith(b"HTTP/1.1 100"):
        head, _, rest = rest.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(first.split()[1]), headers, rest)


def post(address: str, method: str, request: Any, *words: str) -> Answer:
    """Ask a method of the game in JSON."""
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    path = method if method.startswith("/") else f"/shisanzhi.v1.GameLogicService/{method}"
    return curl(
        f"http://{address}{path}", "--header", "content-type: application/json", *words, body=body
    )
