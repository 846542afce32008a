/** The page as `make page` serves it: a real server behind a real gateway, on free ports. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export interface Serving {
  /** The page's address. */
  readonly page: string;
  /** The server's own, `host:port`. */
  readonly server: string;
  stop(): Promise<void>;
}

export async function serve(): Promise<Serving> {
  const python = process.env["PYTHON"] ?? `${ROOT}.venv/bin/python`;
  const child = spawn(python, [`${ROOT}clients/web/serve.py`, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const said: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [what = "", where = ""] = line.split(" on ");
    said[what] = where;
    if (what === "page") {
      break;
    }
  }
  const { page, server } = said;
  if (!page || !server) {
    throw new Error("expected a page that is served, got none");
  }
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { page, server, stop };
}
