import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** `DATA_DIR`; by default that of a service started in this workspace. An empty variable counts as absent. */
export function dataDirOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment['DATA_DIR'] || join(workspaceRoot, '.data');
}
