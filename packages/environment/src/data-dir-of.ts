import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Whether this program runs in a checkout, where `pnpm start` is; false where it is laid out by `pnpm deploy`. */
export const inCheckout = existsSync(join(workspaceRoot, 'pnpm-workspace.yaml'));

/** `DATA_DIR`; by default that of a service started in this workspace. An empty variable counts as absent. */
export function dataDirOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment['DATA_DIR'] || join(workspaceRoot, '.data');
}

/** Whether a service may run with that folder: a program that is laid out has none that a person would know. */
export function hasDataDir(environment: Readonly<Record<string, string | undefined>>): boolean {
  return inCheckout || Boolean(environment['DATA_DIR']);
}
