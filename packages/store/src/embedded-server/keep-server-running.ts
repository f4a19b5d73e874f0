import { setTimeout as delay } from 'node:timers/promises';
import { launchServer, type ServerPlace, type ServerRun } from './launch-server.ts';
import { endServer } from './server-process.ts';

export type RunningServer = {
  readonly pid: number;
  /** The port, once the first run accepts connections. Rejects when that run fails; then nothing runs. */
  whenReady: Promise<number>;
  /** Ends the present run, ready or not, and starts no further one. */
  stop(): Promise<void>;
};

const relaunchDelayMsMax = 10_000;

/**
 * Runs the server, and again on the same port when it ends unasked, as under the kernel's out-of-memory killer.
 * Without it the program would answer 503 until somebody restarts it; with it, its connections fail and come back.
 */
export function keepServerRunning(place: ServerPlace, log: (message: string) => void): RunningServer {
  let current: ServerRun | null = null;
  let isStopping = false;
  const onSpawn = (run: ServerRun) => {
    current = run;
  };

  const first = launchServer(place, { onSpawn, isWanted: () => !isStopping });
  void first.then(relaunchWheneverItEnds).catch(() => {});

  async function relaunchWheneverItEnds(run: ServerRun): Promise<void> {
    const { port } = run;
    let delayMs = 0;
    for (;;) {
      await run.whenEnded;
      if (isStopping) return;
      log(`The embedded PostgreSQL (pid ${run.pid}) ended unasked: ${run.ended}. Starting it again.`);
      for (;;) {
        try {
          run = await launchServer(place, { port, onSpawn, isWanted: () => !isStopping });
          delayMs = 0;
          break;
        } catch (error) {
          if (isStopping) return;
          log(error instanceof Error ? error.message : String(error));
          delayMs = Math.min(delayMs * 2 + 250, relaunchDelayMsMax);
          await delay(delayMs, undefined, { ref: false });
        }
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
      if (run !== null && run.ended === null) {
        await endServer({ binaries: place.binaries, pid: run.pid, isGone: () => run.ended !== null });
      }
    },
  };
}
