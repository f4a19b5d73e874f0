import { locateBinaries, reachableBinaries } from './binaries.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import { startServer } from './start.ts';
/**
 * A program with an embedded server, for tests that kill it. Writes one JSON line per event to stdout; stops the server
 * and exits on SIGTERM.
 */
import type { ServerUser } from './user.ts';

export interface ProgramOptions {
  dataDir: string;
  /** The user that a program run by root switches to before it starts anything. */
  runAs?: NonNullable<ServerUser>;
  settings?: Record<string, string>;
}

export type ProgramEvent =
  | { event: 'log'; message: string }
  | { event: 'ready'; connectionString: string; pid: number }
  | { event: 'failed'; code: string; message: string; ownerPid: number | null };

const say = (event: ProgramEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);

const { dataDir, runAs, settings = { fsync: 'off' } } = JSON.parse(process.argv[2] ?? '{}') as ProgramOptions;
let binaries = locateBinaries();
if (runAs !== undefined) {
  // That user may have no access to the checkout, as under /root. The real program, run by a user, can read its own
  // files.
  binaries = reachableBinaries(binaries, runAs);
  process.setgroups?.([]);
  process.setgid?.(runAs.gid);
  process.setuid?.(runAs.uid);
}

try {
  const server = await startServer({
    dataDir,
    settings,
    binaries,
    log: (message) => say({ event: 'log', message }),
  });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  process.on('SIGINT', () => say({ event: 'log', message: 'SIGINT' }));
  say({ event: 'ready', connectionString: server.connectionString, pid: server.pid });
  setInterval(() => {}, 60_000);
} catch (err) {
  const { message } = err as Error;
  const code = err instanceof EmbeddedServerError ? err.code : 'unexpected';
  say({
    event: 'failed',
    code,
    message,
    ownerPid: err instanceof EmbeddedServerError ? err.ownerPid : null,
  });
}
