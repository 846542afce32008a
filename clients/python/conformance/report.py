"""What the driver reads: a line for each failure, and one for each kind."""

LANGUAGE = "python"


class Report:
    """Prints as it goes, and knows in the end whether all passed."""

    def __init__(self) -> None:
        self.failed = False

    def versions(self, text: str) -> None:
        """Say what was run with."""
        _say(f"versions {text}")

    def failure(self, kind: str, line: int, what: object) -> None:
        """Tell of one case that failed."""
        self.failed = True
        _say(f"failed {kind} {line}: {what}")

    def kind(self, kind: str, passed: int) -> None:
        """Tell how many cases of a kind passed."""
        _say(f"{kind} {passed}")


def _say(text: str) -> None:
    print(f"conformance: {LANGUAGE} {' '.join(text.splitlines())}", flush=True)
