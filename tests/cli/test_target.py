"""A server that is asked answers as the engine does; whatever it says, there is no traceback."""

import json
from collections.abc import Iterator

import pytest

from tests.cli.running import CLASSIC, FOUL, LEGAL, ROOT, ROUND_FILE, SEED, in_shell, run
from tests.server.authority import Authority, Pair
from tests.servers import Process, serving

NOWHERE = "127.0.0.1:1"
QUESTIONS = [
    ("deal", "--seed", SEED, "--player-seed", "00ff", "--round", "7"),
    ("deal", "--seed", SEED, *CLASSIC, "--dealer", "3", "--cut-deck", "10", "--cut-deck", "51"),
    ("evaluate", "--cut", "7c", "7s 7h 7d", "7s 7s Kd Ks Kh"),
    ("validate", *CLASSIC, *LEGAL),
    ("validate", *CLASSIC, *FOUL),
    ("score", str(ROUND_FILE)),
]
REFUSED = [
    ("deal", "--seed", "00", "--dealer", "4", "--cut-deck", "3"),
    ("evaluate", "As Ad", "As Kd Qc"),
    ("validate", *CLASSIC, *LEGAL, "--hand", "As As"),
]
ASKING = [
    ("deal",),
    ("evaluate", *CLASSIC, "As Kd Qc"),
    ("validate", *CLASSIC, *LEGAL),
    ("score", str(ROUND_FILE)),
    ("arrange", *CLASSIC, "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac"),
    ("match", "--rounds", "1"),
    ("rules",),
    ("health",),
]
"""Every command that takes --target."""


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with serving() as process:
        yield process.address


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def pair(authority: Authority) -> Pair:
    return authority.issue("server", "DNS:localhost,IP:127.0.0.1")


@pytest.fixture(scope="module")
def secured(authority: Authority, pair: Pair) -> Iterator[Process]:
    """A server that speaks TLS and wants certificates."""
    files = {"certificate": pair.certificate, "key": pair.key, "client-ca": authority.certificate}
    flags = [word for name, file in files.items() for word in (f"--tls-{name}", str(file))]
    with serving(*flags) as process:
        yield process


class TestTarget:
    @pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
    @pytest.mark.parametrize("form", [(), ("--json",), ("--lang", "zh-Hant")], ids=" ".join)
    def test_gives_the_same_answer_as_the_engine(
        self, words: tuple[str, ...], form: tuple[str, ...], target: str
    ) -> None:
        embedded, served = run(*words, *form), run(*words, *form, "--target", target)
        assert embedded.stdout
        assert (served.exit_code, served.stdout) == (embedded.exit_code, embedded.stdout)

    @pytest.mark.parametrize("words", REFUSED, ids=" ".join)
    @pytest.mark.parametrize("form", [(), ("--json",)], ids=" ".join)
    def test_refuses_with_the_same_faults_as_the_engine(
        self, words: tuple[str, ...], form: tuple[str, ...], target: str
    ) -> None:
        embedded, served = run(*words, *form), run(*words, *form, "--target", target)
        assert served.exit_code == 2
        assert served.stderr == embedded.stderr

    def test_exits_with_3_and_one_line_where_no_server_answers(self) -> None:
        result = run("deal", "--target", NOWHERE)
        assert result.exit_code == 3
        assert result.stdout == ""
        assert result.stderr.startswith(
            f"error: expected an answer from {NOWHERE}, got UNAVAILABLE"
        )
        assert len(result.stderr.splitlines()) == 1

    def test_says_so_in_json(self) -> None:
        result = run("deal", "--target", NOWHERE, "--json")
        assert result.exit_code == 3
        assert json.loads(result.stderr)["faults"] == []


class TestAddress:
    @pytest.mark.parametrize("words", ASKING, ids=lambda words: words[0])
    @pytest.mark.parametrize(
        "address",
        [
            *("127.0.0.1:70000", "127.0.0.1:115587", "127.0.0.1:0", "127.0.0.1:-1", "[::1]:65536"),
            *("127.0.0.1", "127.0.0.1:", ":50051", "::1:50051", "127.0.0.1:port", "", " "),
            *("ipv4:127.0.0.1:70000", "dns:///127.0.0.1:70000", "http://127.0.0.1:50051"),
        ],
    )
    def test_one_that_is_none_is_refused(self, words: tuple[str, ...], address: str) -> None:
        result = run(*words, "--target", address)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "Invalid value for '--target': expected" in result.stderr

    def test_a_port_that_would_wrap_to_the_server_does_not_reach_it(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        result = run("health", "--target", f"{host}:{int(port) + 2**16}")
        assert result.exit_code == 2
        assert f"expected a port of 1 to 65535, got {int(port) + 2**16}" in result.stderr


class TestTls:
    @pytest.mark.parametrize("words", ASKING, ids=lambda words: words[0])
    def test_every_command_speaks_it(
        self, words: tuple[str, ...], secured: Process, authority: Authority, pair: Pair
    ) -> None:
        asked = (*words, "--target", secured.address, "--tls-ca", str(authority.certificate))
        identity = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))
        assert run(*asked, *identity).exit_code == 0
        assert run(*asked).exit_code == 3

    @pytest.mark.parametrize("words", ASKING, ids=lambda words: words[0])
    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            (["--tls-certificate", "FILE"], "--tls-certificate and --tls-key together"),
            (["--tls-ca", "FILE", "--tls-key", "FILE"], "--tls-certificate and --tls-key together"),
            (["--tls-certificate", "FILE", "--tls-key", "FILE"], "--tls-ca with them"),
            (["--tls-ca", ""], "expected a file that can be read, got ''"),
            (["--tls-ca", __file__], "expected CA certificates, PEM, got"),
        ],
    )
    def test_half_of_it_is_refused_and_never_plaintext(
        self, words: tuple[str, ...], given: list[str], expected: str, target: str, pair: Pair
    ) -> None:
        given = [str(pair.certificate) if word == "FILE" else word for word in given]
        result = run(*words, "--target", target, *given)
        assert (result.exit_code, result.stdout) == (2, "")
        assert expected in result.stderr

    def test_without_a_server_it_is_refused(self, pair: Pair) -> None:
        result = run("rules", "--tls-ca", str(pair.certificate))
        assert result.exit_code == 2
        assert "expected --target beside --tls-ca" in result.stderr

    @pytest.mark.parametrize("words", ASKING, ids=lambda words: words[0])
    def test_plaintext_that_meets_it_is_given_a_hint(
        self, words: tuple[str, ...], secured: Process
    ) -> None:
        result = run(*words, "--target", secured.address)
        assert result.exit_code == 3
        assert "it speaks TLS: name whom to trust with --tls-ca" in result.stderr

    @pytest.mark.parametrize("words", ASKING, ids=lambda words: words[0])
    def test_that_meets_plaintext_is_given_a_hint(
        self, words: tuple[str, ...], target: str, authority: Authority
    ) -> None:
        result = run(*words, "--target", target, "--tls-ca", str(authority.certificate))
        assert result.exit_code == 3
        assert "it speaks plaintext: leave out --tls-ca" in result.stderr

    def test_no_hint_is_given_where_nobody_listens(self) -> None:
        assert "--tls-ca" not in run("rules", "--target", NOWHERE).stderr

    def test_only_what_is_promised_is_written_to_stderr(
        self, target: str, authority: Authority
    ) -> None:
        """The core of grpc has lines of its own for a handshake that fails."""
        words = f"rules --json --target {target} --tls-ca {authority.certificate}"
        assert json.loads(in_shell(f"shisanzhi {words}").stderr)["faults"] == []


class TestProxy:
    """Proxies of the environment are for web pages; one here would answer nothing."""

    PROXIES = dict.fromkeys(
        ("http_proxy", "https_proxy", "grpc_proxy"), "http://127.0.0.1:9"
    ) | dict.fromkeys(("no_proxy", "no_grpc_proxy"), "")

    @pytest.mark.parametrize("words", ["health", "rules", "deal --json"])
    def test_none_stands_between_a_command_and_its_server(self, words: str, target: str) -> None:
        done = in_shell(f"shisanzhi {words} --target {target}", **self.PROXIES)
        assert (done.returncode, done.stderr) == (0, b"")

    def test_none_stands_between_a_command_and_a_tls_server(
        self, secured: Process, authority: Authority, pair: Pair
    ) -> None:
        flags = f"--tls-ca {authority.certificate} --tls-certificate {pair.certificate}"
        line = f"shisanzhi health --target {secured.address} {flags} --tls-key {pair.key}"
        assert in_shell(line, **self.PROXIES).stdout == b"SERVING\n"

    def test_none_stands_in_the_demo(self) -> None:
        done = in_shell("python demo/play.py", **self.PROXIES)
        assert done.stdout.decode().count("Totals") == 2, done.stderr

    def test_every_channel_is_made_in_one_place(self) -> None:
        """Of the command; the client that others import makes its own, which take all options."""
        makers = {
            f"{file.parent.name}/{file.name}"
            for folder in ("service", "demo")
            for file in (ROOT / folder).rglob("*.py")
            if "secure_channel(" in file.read_text(encoding="utf-8")
        }
        assert makers - {"client/sync.py", "client/aio.py"} == {"client/channel.py"}
