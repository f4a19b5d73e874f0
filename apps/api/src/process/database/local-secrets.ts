import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecret } from '@insurance-verification/store';
import { StartError } from '../../config/start-error.ts';

/** What the service keeps beside its embedded database in `DATA_DIR`, readable by its user alone. */
export interface LocalSecrets {
  /**
   * The text of a secret; undefined if it was never kept, or is lost. An unreadable API key counts as lost, since
   * another can be made; an unreadable encryption key or seal key throws, since nothing replaces it.
   */
  read(name: SecretName): string | undefined;
  keep(name: SecretName, text: string): void;
  remove(name: SecretName): void;
  /** The path of a secret or of a file beside it, to show to a person. */
  pathOf(name: string): string;
}

type SecretName = keyof typeof LOSS | 'api-key' | 'test-api-key';

/** What is lost with a secret that nothing replaces. */
const LOSS = {
  'encryption-key': 'what the database beside it holds is sealed with that key',
  'audit-seal-key': 'the audit of the database beside it is sealed with that key',
} as const;

/** For whoever finds the folder. */
const ABOUT = `This folder belongs to an Insurance Verification Service that runs without DATABASE_URL.

postgres        its embedded PostgreSQL
encryption-key  what patients' data in it is sealed with: without this file the data is lost
audit-seal-key  what its audit is sealed with: whoever has it can write another past
audit-seals.jsonl  each seal of its audit: what the database must still have before the next is made
api-key         its first API key
test-api-key    the first API key of its account for tests
running         where services on this machine listen, for iv

None of the keys belongs to another database. A start with DATABASE_URL neither reads nor writes them.
`;

/** Opens the secrets of an existing folder. */
export function openLocalSecrets(dataDir: string): LocalSecrets {
  const pathOf = (name: string) => join(dataDir, name);
  return {
    pathOf,
    read: (name) => {
      if (!existsSync(pathOf(name))) return undefined;
      try {
        return readFileSync(pathOf(name), 'utf8').trim() || undefined;
      } catch (err) {
        if (name === 'api-key' || name === 'test-api-key') return undefined;
        const { code } = err as NodeJS.ErrnoException;
        throw new StartError(
          `DATA_DIR: ${pathOf(name)} cannot be read (${code}), and ${LOSS[name]}. Let this user read it, or put it back from a copy or a backup.`,
        );
      }
    },
    keep: (name, text) => {
      writeFileSync(pathOf('README.txt'), ABOUT, { mode: 0o600 });
      keepSecret(pathOf(name), text);
    },
    remove: (name) => rmSync(pathOf(name), { force: true }),
  };
}
