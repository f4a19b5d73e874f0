import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a local run keeps for itself in `DATA_DIR`, readable by its user alone. */
export interface LocalSecrets {
  /** The text of a secret; undefined when it was never kept. */
  read(name: string): string | undefined;
  keep(name: string, text: string): void;
  /** Where a secret is kept, to tell a person. */
  pathOf(name: string): string;
}

export function openLocalSecrets(dataDir: string): LocalSecrets {
  const pathOf = (name: string) => join(dataDir, name);
  return {
    pathOf,
    read: (name) => (existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8').trim() : undefined),
    keep: (name, text) => {
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(pathOf(name), `${text}\n`, { mode: 0o600 });
      chmodSync(pathOf(name), 0o600); // the mode above counts only for a new file
    },
  };
}
