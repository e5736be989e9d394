import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

/** Nobody has come for so long. */
const QUIET_MS = 40;
/** Callers who never pause are waited for no longer than this … */
const PATIENCE_MS = 1_000;
/** … and a turn of the event loop in which nobody came no longer than that. */
const LIMIT_MS = 1_500;
const STEP_MS = 5;

/**
 * Stops listening, at a moment when nobody stands at the door. The kernel completes connections by itself and resets those that
 * the program has not accepted when it stops listening; no program can ask it to take no more and hand over what it has. So
 * the port is closed right after a look that found nobody, once none has come for a while. Those who are inside are
 * untouched.
 */
export async function closeDoor(server: HttpServer): Promise<void> {
  let last = performance.now();
  const hear = () => {
    last = performance.now();
  };
  server.on('connection', hear);
  const until = last + PATIENCE_MS;
  const limit = last + LIMIT_MS;
  for (;;) {
    const before = last;
    await sleep(STEP_MS);
    // Resolved after the loop has asked the kernel: a timer alone may be late and come before that.
    await turn();
    const now = performance.now();
    if (now >= limit || (last === before && now - last >= (now < until ? QUIET_MS : 0))) break;
  }
  server.off('connection', hear);
  // Not the HTTP server's own `close`, which would cut connections with a request on its way.
  Server.prototype.close.call(server);
}
