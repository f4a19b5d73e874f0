import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { buildConsole } from './build-console.ts';
import { type ConsoleFiles, loadConsole } from './load-console.ts';

/** The state of this process's console. */
export type ConsoleState =
  /** Not opened yet, or production without a built console. */
  | { readonly kind: 'off' }
  | { readonly kind: 'building' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'served'; readonly files: ConsoleFiles };

/** The console's pages, and how they get built. */
export interface ConsoleSite {
  readonly state: ConsoleState;
  /**
   * Prepares the console and serves it. Called once the service is up: outside production the pages are built in a
   * separate process if they are missing or older than their sources. Never rejects; a failure is logged and shown.
   */
  open(): Promise<void>;
  /** Aborts a build under way. */
  close(): Promise<void>;
}

export function createConsoleSite(
  { production }: Pick<Config, 'production'>,
  log: Log,
  build: (signal: AbortSignal) => Promise<void> = buildConsole,
): ConsoleSite {
  let state: ConsoleState = { kind: 'off' };
  const closing = new AbortController();
  let opening: Promise<void> | undefined;

  const open = async () => {
    try {
      if (!production) {
        state = { kind: 'building' };
        await build(closing.signal);
      }
      const files = loadConsole();
      if (files) state = { kind: 'served', files };
      else log.info('the console is off: it is not built, and production never builds');
    } catch (err) {
      if (closing.signal.aborted) return;
      const reason = err instanceof Error ? err.message : String(err);
      state = { kind: 'failed', reason };
      log.error({ reason }, 'the console could not be built; everything else is served');
    }
  };
  return {
    get state() {
      return state;
    },
    open: () => (opening ??= open()),
    close: async () => {
      closing.abort();
      await opening;
    },
  };
}
