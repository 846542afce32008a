"""Calls every five milliseconds while a server is restarted; counts those that are lost."""

import asyncio
import os
import sys
from collections import Counter

from shisanzhi.client import AsyncClient, CallError, parse_cards
from shisanzhi.v1.card_pb2 import CardList
from shisanzhi.v1.game_logic_service_pb2 import EvaluateRequest
from shisanzhi.v1.ruleset_pb2 import RULESET_CLASSIC

_INTERVAL = 0.005
_REQUEST = EvaluateRequest(ruleset=RULESET_CLASSIC, rows=[CardList(cards=parse_cards("As Kd Qc"))])


async def main() -> None:
    """Exit with 0 if no call is lost."""
    async with AsyncClient(os.environ["SHISANZHI_TARGET"]) as client:
        await client.evaluate(_REQUEST)
        print("restarts: python started", flush=True)
        lost = await _lost(client, round(float(os.environ["SHISANZHI_SECONDS"]) / _INTERVAL))
    sys.exit(lost > 0)


async def _lost(client: AsyncClient, calls: int) -> int:
    clock = asyncio.get_running_loop()
    start = clock.time()
    made = []
    for number in range(calls):
        await asyncio.sleep(start + number * _INTERVAL - clock.time())
        made.append(asyncio.ensure_future(_end(client)))
    ends = Counter(await asyncio.gather(*made))
    lost = calls - ends.pop("", 0)
    for what, times in ends.items():
        print(f"restarts: python {times} times {what}")
    print(f"restarts: python calls {calls} lost {lost}", flush=True)
    return lost


async def _end(client: AsyncClient) -> str:
    """Make a call; say what went wrong, nothing if it is answered."""
    try:
        await client.evaluate(_REQUEST)
    except CallError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    asyncio.run(main())
