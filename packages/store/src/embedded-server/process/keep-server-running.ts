import { setTimeout as delay } from 'node:timers/promises';
import { launchServer } from './launch-server.ts';
import { endServer } from './server-process.ts';
import type { ServerPlace, ServerRun } from './spawn-server.ts';

export interface RunningServer {
  readonly pid: number;
  /** The port, once the first run accepts connections. Rejects when that run fails; then no server runs. */
  whenReady: Promise<number>;
  /** Ends the current run, ready or not, and prevents further ones. */
  stop(): Promise<void>;
}

const RELAUNCH_DELAY_MS_MAX = 10_000;

/**
 * Runs the server and restarts it on the same port when it dies, for example by the kernel's out-of-memory killer.
 * Otherwise the program would answer 503 until somebody restarts it; this way its connections fail and recover.
 */
export function keepServerRunning(place: ServerPlace, log: (message: string) => void): RunningServer {
  let current: ServerRun | null = null;
  let isStopping = false;
  const options = {
    log,
    isWanted: () => !isStopping,
    onSpawn: (run: ServerRun) => {
      current = run;
    },
  };

  const first = launchServer(place, options);
  // The caller reports a failed first launch.
  first.then(relaunchWheneverItEnds, () => {});

  async function relaunchWheneverItEnds(run: ServerRun): Promise<void> {
    await run.whenEnded;
    if (isStopping) return;
    log(`The embedded PostgreSQL (pid ${run.pid}) ended unasked: ${run.ended}. Starting it again.`);
    const next = await relaunch(run.port);
    if (next !== null) return relaunchWheneverItEnds(next);
  }

  /** Null when the program has stopped the server meanwhile. */
  async function relaunch(port: number): Promise<ServerRun | null> {
    for (let delayMs = 250; ; delayMs = Math.min(delayMs * 2, RELAUNCH_DELAY_MS_MAX)) {
      try {
        return await launchServer(place, { ...options, findPort: () => Promise.resolve(port) });
      } catch (err) {
        if (isStopping) return null;
        log(err instanceof Error ? err.message : String(err));
        await delay(delayMs, undefined, { ref: false });
      }
    }
  }

  return {
    get pid() {
      return current?.pid ?? 0;
    },
    whenReady: first.then((run) => run.port),
    async stop() {
      isStopping = true;
      const run = current;
      if (run === null) return;
      await endServer({ binaries: place.binaries, pid: run.pid, isGone: () => run.ended !== null });
    },
  };
}
