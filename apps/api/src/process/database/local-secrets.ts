import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecret } from '@insurance-verification/store';

/** What the embedded database's service keeps beside it in `DATA_DIR`, readable by its user alone. */
export interface LocalSecrets {
  /**
   * The text of a secret; undefined when it was never kept, or is lost. An API key that cannot be read is lost too, since
   * another can be made; without the encryption key nothing can be.
   */
  read(name: SecretName): string | undefined;
  keep(name: SecretName, text: string): void;
  remove(name: SecretName): void;
  /** Where a secret, or what stands beside it, is kept: to tell a person. */
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

/** Keeps in a folder that is there. */
export function openLocalSecrets(dataDir: string): LocalSecrets {
  const pathOf = (name: string) => join(dataDir, name);
  return {
    pathOf,
    read: (name) => {
      if (!existsSync(pathOf(name))) return undefined;
      try {
        return readFileSync(pathOf(name), 'utf8').trim() || undefined;
      } catch (err) {
        if (name === 'encryption-key') throw err;
        return undefined;
      }
    },
    keep: (name, text) => {
      writeFileSync(pathOf('README.txt'), ABOUT, { mode: 0o600 });
      keepSecret(pathOf(name), text);
    },
    remove: (name) => rmSync(pathOf(name), { force: true }),
  };
}
