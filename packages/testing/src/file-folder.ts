import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** Milliseconds to remove it: some folders hold a database, and the disk may be busy. */
const PATIENCE_MS = 60_000;

/** Short: the path of a Unix socket has at most 107 bytes. */
const NAME_MAX = 8;

// vitest's `setupFiles`, which run for each test file, unlike what a file imports: with `isolate: false` a fork loads that
// once. A file's temporary folders lie in its own. The first hook runs before all of the file's, and the second after
// them, since closing hooks run last to first: everything that writes there has stopped by then. A file whose tests are
// all skipped runs no hook, so it gets no folder; one that makes a folder on import leaves it in the run's.
const outer = tmpdir();
let folder: string;

// Ctrl+C in a terminal goes to every process of the run: only the first one decides how it ends (`run-folder.ts`).
for (const signal of ['SIGINT', 'SIGHUP'])
  if (process.listenerCount(signal) === 0) process.on(signal, () => {});

beforeAll(() => {
  const name = basename(expect.getState().testPath ?? '', '.test.ts').slice(0, NAME_MAX);
  folder = mkdtempSync(join(outer, `${name}-`));
  chmodSync(folder, 0o711); // PostgreSQL does not run as root
  process.env['TMPDIR'] = folder;
});

afterAll(() => {
  process.env['TMPDIR'] = outer;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, PATIENCE_MS);
