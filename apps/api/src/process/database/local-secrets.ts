import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecret } from '@insurance-verification/embedded-postgres';
import { createMasterKey, parseMasterKeys } from '@insurance-verification/store';
import { StartError } from '../../config/start-error.ts';

/** The secrets of the embedded database in `DATA_DIR`, readable only by its user. */
export interface LocalSecrets {
  /**
   * The text of a secret; undefined if it was never kept, or is lost. An unreadable API key counts as lost, since
   * another can be made; an unreadable encryption key or seal key throws, since nothing replaces it.
   */
  read(name: SecretName): string | undefined;
  keep(name: SecretName, text: string): void;
  remove(name: SecretName): void;
  /** The path of a secret or of another file in the folder, to show to a person. */
  pathOf(name: string): string;
}

type SecretName = keyof typeof LOSS | 'api-key' | 'test-api-key';

/** What is lost with a secret that nothing replaces. */
const LOSS = {
  'encryption-key': 'what the database beside it holds is encrypted with that key',
  'audit-seal-key': 'the audit of the database beside it is sealed with that key',
} as const;

/** Explains the folder to a person who finds it. */
const ABOUT = `This folder belongs to an Insurance Verification Service that runs without DATABASE_URL.

postgres        its embedded PostgreSQL
encryption-key  what patients' data in it is encrypted with: without this file the data is lost
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

/**
 * The embedded database's master key, kept before anything is encrypted with it.
 * @throws {StartError} when the kept text is not a key.
 */
export function openLocalKey(secrets: LocalSecrets): { text: string; isNew: boolean } {
  const kept = secrets.read('encryption-key');
  if (kept !== undefined) {
    assertKey(kept, secrets.pathOf('encryption-key'));
    return { text: kept, isNew: false };
  }
  const text = createMasterKey('local');
  secrets.keep('encryption-key', text);
  return { text, isNew: true };
}

/** The database was written under a key that is gone. Removes the new one: it would look like the one to keep. */
export function lostKey(secrets: LocalSecrets): StartError {
  secrets.remove('encryption-key');
  return new StartError(
    `DATA_DIR: ${secrets.pathOf('encryption-key')} is missing, and the database in the folder is encrypted with that key. Restore the file from a copy or a backup. Without it the data cannot be read: to begin with an empty database, move ${secrets.pathOf('postgres')} away.`,
  );
}

function assertKey(text: string, path: string): void {
  try {
    parseMasterKeys(text);
  } catch (err) {
    throw new StartError(
      `DATA_DIR: ${path} is not a valid key, and the database in the folder is encrypted with it. Restore the file from a copy or a backup.`,
      { cause: err },
    );
  }
}
