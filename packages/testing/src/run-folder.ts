import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject, Vitest } from 'vitest/node';

/** Followed by the run's process id. */
export const RUN_FOLDER_PREFIX = 'ivs-test-run-';

/** Node's compile cache, for the forks and for the programs that tests start: the folder outlives the run. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

/** Next to the dependencies of the service: `bundled-service.ts` finds its documentation and its console from there. */
export const BUNDLES = fileURLToPath(new URL('../../../apps/api/node_modules/.cache/', import.meta.url));

/** The variable that names the run's folder in {@link BUNDLES}. */
export const BUNDLE_FOLDER = 'SERVICE_BUNDLE_FOLDER';

const IN_MEMORY = '/dev/shm'; // of Linux

/** Bytes: what the clusters and databases of a run take at a time, and as much again. */
const ROOM_MIN = 4 * 2 ** 30;

/** Names in the report of remaining folders: an interrupted run leaves one for each worker. */
const NAME_COUNT_MAX = 20;

/**
 * vitest's `globalSetup`: all temporary folders of a run, its processes' too, lie in one. Each test file removes its
 * own (`file-folder.ts`); a run that ends with anything in it fails, names it and removes it. The folder of a run that was
 * ended by SIGKILL is removed by the next one (`remove-dead-runs.ts` of the store).
 */
export function setup({ vitest }: TestProject): void {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  const prefix = `${RUN_FOLDER_PREFIX}${process.pid}-`;
  if (basename(tmpdir()).startsWith(prefix)) return; // made for another project of the run
  const folder = mkdtempSync(join(folderOfRuns(), prefix));
  chmodSync(folder, 0o711); // PostgreSQL does not run as root
  process.env['TMPDIR'] = folder;
  mkdirSync(BUNDLES, { recursive: true });
  const bundles = mkdtempSync(join(BUNDLES, prefix));
  process.env[BUNDLE_FOLDER] = bundles;
  endInOrder(vitest);
  process.once('exit', () => {
    const left = globSync('*{,/*}', { cwd: folder });
    if (left.length > 0) {
      const more = left.length > NAME_COUNT_MAX ? ` and ${left.length - NAME_COUNT_MAX} more` : '';
      const names = left.slice(0, NAME_COUNT_MAX).join(', ');
      process.stderr.write(`The run left in its temporary folder: ${names}${more}\n`);
      process.exitCode ||= 1; // a signal has its own
    }
    // Last, since it throws where a worker still writes.
    for (const each of [folder, bundles]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  });
}

/**
 * Where the folders of runs are: in memory where there is room and `TMPDIR` names no other place. On a disk, a sixth of
 * the CPU of the store's tests is making and removing the files of clusters.
 */
function folderOfRuns(): string {
  if (process.env['TMPDIR'] || !existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, freemem()) < ROOM_MIN ? tmpdir() : IN_MEMORY;
}

/**
 * Runs the closing hooks of a run that is ended by a signal, so that its servers and folders are removed. vitest does so
 * only for keys in a terminal: at a signal it ends at once, while its forks still write.
 */
function endInOrder(vitest: Vitest): void {
  let isEnding = false;
  for (const [signal, exitCode] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (isEnding) return; // a terminal and pnpm may each send one
      isEnding = true;
      void vitest.cancelCurrentRun('keyboard-input').then(() => {
        process.exitCode = exitCode;
        return vitest.exit(true);
      });
    });
  }
}
