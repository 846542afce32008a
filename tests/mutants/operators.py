"""Small changes to a module's source, each of which some test should notice."""

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

_COMPARISONS: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
_FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_TYPE_MAKERS: Final = {"TypeVar", "ParamSpec", "cast", "NewType"}
_DESCRIPTION: Final = "expected "
_NO_CODE: Final = {"annotation", "returns", "decorator_list", "type_params"}


class Mutant(NamedTuple):
    """One change: where it is, what stood there, what stands there now, and the whole source."""

    scope: str
    before: str
    after: str
    source: str

    @property
    def key(self) -> str:
        """Name it by what it does, so that the name outlives a change elsewhere in the module."""
        return f"{self.scope}: {self.before} → {self.after}"


def mutants(source: str) -> Iterator[Mutant]:
    """Give every mutant of a module; those that read alike in one function are numbered."""
    lines = source.splitlines(keepends=True)
    seen: Counter[str] = Counter()
    for scope, node, changed in _changes(ast.parse(source), ""):
        mutant = _spliced(lines, scope, node, changed)
        seen[mutant.key] += 1
        if (number := seen[mutant.key]) > 1:
            mutant = mutant._replace(after=f"{mutant.after} ({number})")
        yield mutant


def _spliced(lines: list[str], scope: str, node: "_Placed", changed: ast.AST) -> Mutant:
    """Write the change into the source, all else as it was."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    # Columns are counted in bytes.
    head = lines[first].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    text = ast.unparse(changed)
    middle = f"({text})" if isinstance(changed, ast.expr) else text
    source = "".join([*lines[:first], head, middle, tail, *lines[last + 1 :]])
    before = " ".join("".join(lines[first : last + 1]).split())
    return Mutant(scope, before, " ".join(f"{head}{middle}{tail}".split()), source)


_Placed = ast.expr | ast.stmt


def _changes(node: ast.AST, scope: str) -> Iterator[tuple[str, _Placed, ast.AST]]:
    """Give the scope of each node that can be changed, the node, and what to put in its place."""
    if isinstance(node, _Placed) and not _is_description(node):
        for changed in _alternatives(node):
            yield scope, node, changed
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        scope = f"{scope}.{node.name}".strip(".")
    for child in _code_within(node):
        yield from _changes(child, scope)


def _code_within(node: ast.AST) -> Iterator[ast.AST]:
    """Give the children that do something: no annotations, docstrings, names of types."""
    if _does_nothing(node):
        return
    for field, value in ast.iter_fields(node):
        if field not in _NO_CODE:
            children = value if isinstance(value, list) else [value]
            yield from (child for child in children if isinstance(child, ast.AST))


def _does_nothing(node: ast.AST) -> bool:
    """Tell whether a node is no code; an assertion says what is so, and so does ``strict``."""
    match node:
        case (
            ast.Expr(value=ast.Constant(value=str()))
            | ast.If(test=ast.Name(id="TYPE_CHECKING"))
            | ast.Assign(targets=[ast.Name(id="__slots__" | "__all__")])
            | ast.AnnAssign(annotation=ast.Name(id="TypeAlias"))
            | ast.Assert()
            | ast.keyword(arg="strict")
            | ast.JoinedStr()
        ):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _TYPE_MAKERS
    return False


def _alternatives(node: _Placed) -> Iterator[ast.AST]:
    yield from _of_statement(node) if isinstance(node, ast.stmt) else _of_expression(node)


def _of_statement(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.AugAssign():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Delete() | ast.Break() | ast.Continue():
            yield ast.Pass()
        case ast.Return(value=ast.expr()) if not _is_no(node.value):
            yield ast.Return(value=None)


def _is_no(node: ast.expr | None) -> bool:
    """Tell whether that is None, or False, which is the same to whoever asks."""
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False)


def _of_expression(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BinOp() if type(node.op) in _ARITHMETIC:
            yield _with(node, op=_ARITHMETIC[type(node.op)]())
        case ast.BoolOp():
            yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.UnaryOp(op=ast.USub()):
            yield node.operand
        case ast.IfExp():
            yield _with(node, body=node.orelse, orelse=node.body)
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            yield _with(node, func=ast.Name(_FUNCTIONS[name], ast.Load()))
        case ast.JoinedStr():
            yield from _formatted(node)
        case ast.Constant():
            yield from (ast.Constant(other) for other in _other_constants(node.value))


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for place, op in enumerate(node.ops):
        ops = [*node.ops]
        ops[place] = _COMPARISONS[type(op)]()
        yield _with(node, ops=ops)


def _is_description(node: ast.AST) -> bool:
    """Tell whether a text says what was expected: the contract lets descriptions change."""
    text = node.values[0] if isinstance(node, ast.JoinedStr) else node
    return isinstance(text, ast.Constant) and str(text.value).startswith(_DESCRIPTION)


def _formatted(node: ast.JoinedStr) -> Iterator[ast.AST]:
    """Change the first text of an f-string, or what is put in first where there is none."""
    for place, part in enumerate(node.values):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            values = [*node.values]
            values[place] = ast.Constant(part.value + "?")
            yield _with(node, values=values)
            return
    yield ast.Constant("?")


def _other_constants(value: object) -> Iterator[str | bytes | int | float]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case float():
            yield 0.0 if value else 1.0
        case str():
            yield f"{value}?"
        case bytes():
            yield value + b"?"


def _with(node: ast.expr, **fields: object) -> ast.expr:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
