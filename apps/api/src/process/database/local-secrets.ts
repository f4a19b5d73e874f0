import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecret } from '@insurance-verification/store';
import { StartError } from '../../config/start-error.ts';

/** What the service keeps beside its embedded database in `DATA_DIR`, readable by its user alone. */
export interface LocalSecrets {
  /**
   * The text of a secret; undefined if it was never kept, or is lost. An unreadable API key counts as lost, since
   * another can be made; an unreadable encryption key throws, since nothing replaces it.
   */
  read(name: SecretName): string | undefined;
  keep(name: SecretName, text: string): void;
  remove(name: SecretName): void;
  /** The path of a secret or of a file beside it, to show to a person. */
  pathOf(name: string): string;
}

type SecretName = 'encryption-key' | 'api-key' | 'test-api-key';

/** For whoever finds the folder. */
const ABOUT = `This folder belongs to an Insurance Verification Service that runs without DATABASE_URL.

postgres        its embedded PostgreSQL
encryption-key  what patients' data in it is sealed with: without this file the data is lost
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
        if (name !== 'encryption-key') return undefined;
        const { code } = err as NodeJS.ErrnoException;
        throw new StartError(
          `DATA_DIR: ${pathOf(name)} cannot be read (${code}), and what the database beside it holds is sealed with that key. Let this user read it, or put it back from a copy or a backup.`,
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
