import { chmodSync, chownSync, cpSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Names the data directory that `global-setup.ts` makes once a run. */
export const MADE_CLUSTER = 'IVS_TEST_CLUSTER';

/**
 * Lays a copy of the run's cluster into a data directory, whose server then need not make one: that takes a second of
 * CPU, a copy less than half. Not for a test of the first start itself. Does nothing where no run has made one.
 */
export function layCluster(dataDir: string): void {
  const made = process.env[MADE_CLUSTER];
  if (made === undefined) return;
  const folder = path.join(dataDir, 'postgres');
  cpSync(path.join(made, 'postgres'), folder, { recursive: true });
  for (const each of [folder, path.join(folder, 'cluster')]) chmodSync(each, 0o700); // cpSync keeps only those of files
  const { uid, gid } = statSync(dataDir);
  if (uid === process.getuid?.()) return;
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(path.join(folder, name), uid, gid);
}
