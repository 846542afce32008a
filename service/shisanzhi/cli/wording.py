"""Failures in words, in both languages."""

import re
from typing import Final

import click

from shisanzhi.engine.errors import Fault
from shisanzhi.engine.names import Text
from shisanzhi.engine.texts import ERROR_REASONS
from shisanzhi.rpc.client.unanswered import Hint, UnansweredError

NONE: Final = Text("空白", "none")
_REQUEST: Final = Text("請求", "request")
_ENGLISH: Final = "expected "
"""How descriptions begin that the engine or a server has written."""
_GOT: Final = re.compile(r".*?, got (.*)", re.DOTALL)
_ONLY_WORDS: Final = re.compile(r"[a-z ]+")
_HINTS: Final = {
    Hint.SPEAKS_TLS: "；對方使用 TLS：請以 --tls-ca 指定信任的憑證機構",
    Hint.SPEAKS_PLAINTEXT: "；對方未使用 TLS：請勿加 --tls-ca",
    Hint.NEWER: "；對方的版本可能較新",
}


def expected(what: Text, got: Text) -> Text:
    """Say an expectation, then the offending value."""
    return Text(
        f"應為{_spaced(what.zh_hant)}，收到 {got.zh_hant}", f"expected {what.en}, got {got.en}"
    )


def as_it_is(text: str) -> Text:
    """Say what is the same in both languages, such as a value, or has no other words."""
    return Text(text, text)


def error(message: Text) -> Text:
    """Begin to tell of an error."""
    return Text(f"錯誤：{message.zh_hant}", f"error: {message.en}")


def refused(count: int) -> Text:
    """Say that a request has faults."""
    return Text(f"請求有 {count} 處錯誤", f"{count} fault{'s' * (count > 1)} in the request")


def more(count: int) -> Text:
    """Say how many faults are not told."""
    return Text(f"  另有 {count} 處", f"  and {count} more")


def fault(found: Fault) -> Text:
    """Tell of one fault: where it is, what it is, its reason."""
    what, reason = description(found), found.reason.name
    return Text(
        f"  {found.path or _REQUEST.zh_hant}：{what.zh_hant}（{reason}）",
        f"  {found.path or _REQUEST.en}: {what.en} ({reason})",
    )


def description(found: Fault) -> Text:
    """Say what is wrong.

    What the engine or a server says is English: in Chinese it is the text of its reason, and the
    offending value.

    >>> from shisanzhi.engine.errors import Reason
    >>> description(Fault(Reason.SEAT_UNKNOWN, "dealer", "expected a seat 0..3, got 4")).zh_hant
    '座位須為 0 到 3，收到 4'
    """
    if not found.description.startswith(_ENGLISH):
        return as_it_is(found.description)
    reason = ERROR_REASONS[found.reason].zh_hant.rstrip("。")
    got = _GOT.fullmatch(found.description)
    if got is None or _ONLY_WORDS.fullmatch(got[1]):
        return Text(reason, found.description)
    value = got[1].removesuffix(" once too often").replace(" over ", " 對 ")
    return Text(f"{reason}，收到 {value}", found.description)


def unanswered(failure: UnansweredError) -> Text:
    """Tell of a server that gave no answer."""
    hint = _HINTS[failure.hint] if failure.hint else ""
    return Text(f"{failure.address} 沒有回覆，收到 {failure.got}{hint}", str(failure))


def as_said(failure: Exception) -> Text:
    """Tell of an error that says itself what it is."""
    return as_it_is(str(failure))


def not_written(failure: Exception) -> Text:
    """Tell of an output that could not be written."""
    why = getattr(failure, "strerror", None) or str(failure)
    return Text(f"無法寫出結果：{why}", f"expected an output that can be written, got: {why}")


def how_to_use(wrong: click.UsageError) -> Text:
    """Say how the command is used that was used wrong."""
    if wrong.ctx is None:
        return as_it_is("")
    if isinstance(wrong, click.exceptions.NoArgsIsHelpError):
        return as_it_is(wrong.ctx.get_help() + "\n")
    usage, command = wrong.ctx.get_usage(), wrong.ctx.command_path
    return Text(
        f"{usage.replace('Usage: ', '用法：')}\n說明請見 '{command} --help'。\n",
        f"{usage}\nTry '{command} --help' for help.\n",
    )


def usage(wrong: click.ClickException) -> Text:
    """Say what is wrong with the words of a command line."""
    said = wrong.format_message()
    match wrong:
        case click.exceptions.NoArgsIsHelpError():
            return expected(Text("指令", "a command"), NONE)
        case click.MissingParameter(param=click.Parameter() as param):
            return Text(f"缺少 {param.get_error_hint(wrong.ctx)}", said)
        case click.BadParameter(param=click.Parameter() as param):
            hint = param.get_error_hint(wrong.ctx)
            return Text(f"{hint} 的值不正確：{_in_chinese(wrong.message)}", said)
    return Text(_in_chinese(said), said)


_SAID_BY_CLICK: Final = (
    (r"No such option:? (.*?)\.?", r"沒有選項 \1"),
    (r"No such command (.*?)\.", r"沒有指令 \1"),
    (r"(.*) is not a valid .*\.", r"收到 \1"),
    (r"(.*) is not in the range (.*)\.", r"應在 \2 的範圍內，收到 \1"),
    (r"(.*) is not one of (.*)\.", r"應為 \2 之一，收到 \1"),
)


def _in_chinese(said: str) -> str:
    """Translate what click says most; the rest stays as it is."""
    for pattern, chinese in _SAID_BY_CLICK:
        if found := re.match(pattern + r"(?= Did you mean|$)", said):
            return found.expand(chinese)
    return said


def _spaced(words: str) -> str:
    """Set a blank between a Chinese word and a Latin one."""
    return f" {words}" if words[:1].isascii() else words
