"""The languages: where each is, and what it needs. A new one is a line here."""

import shutil
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = ROOT / "clients"


class Language(NamedTuple):
    """A folder under ``clients/`` whose Makefile has the targets of the page there."""

    name: str
    tools: tuple[str, ...]
    """Programs that must be there to build it."""
    example: str
    """The example's file."""
    fence: str
    """What its block is called in a page."""
    version: tuple[str, str] | None = None
    """Where its version stands: a file, and a pattern with one group. None: it is the package's."""
    keeps_unknown: bool = True
    """Whether a message that is handed back still has the fields that the client does not know."""

    @property
    def folder(self) -> Path:
        return CLIENTS / self.name

    @property
    def missing(self) -> list[str]:
        """Name the programs that are not here."""
        return [tool for tool in self.tools if shutil.which(tool) is None]

    def make(self, target: str) -> list[str]:
        """Give the command of one of its targets."""
        return ["make", "--no-print-directory", "-C", str(self.folder), target]


LANGUAGES: Final = (
    Language("python", (), "example.py", "python"),
    Language(
        "typescript",
        ("node", "npm"),
        "example/round.ts",
        "ts",
        ("package.json", r'"version": "(.+)"'),
    ),
    Language("go", ("go",), "example/main.go", "go"),
    Language(
        "java",
        ("javac", "mvn"),
        "src/test/java/shisanzhi/example/FirstRound.java",
        "java",
        ("pom.xml", r"shisanzhi-client</artifactId>\s*<version>(.+)</version>"),
    ),
    Language(
        "cpp",
        ("cmake", "g++", "protoc", "grpc_cpp_plugin"),
        "example/first_round.cc",
        "cpp",
        ("CMakeLists.txt", r"project\(shisanzhi VERSION (\S+)"),
    ),
    Language(
        "rust",
        ("cargo", "protoc"),
        "examples/first_round.rs",
        "rust",
        ("Cargo.toml", r'(?m)^version = "(.+)"'),
        keeps_unknown=False,  # prost has nowhere to keep them
    ),
)
"""Those that are run. Of Go the version is the tag."""
GENERATED: Final = (
    Language(
        "csharp",
        ("protoc",),
        "Example/Program.cs",
        "csharp",
        ("Directory.Build.props", "<Version>(.+)</Version>"),
    ),
)
"""Those for which there is no compiler here: that the contract generates is checked."""
