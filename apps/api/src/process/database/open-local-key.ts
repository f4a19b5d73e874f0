import { createMasterKey, parseMasterKeys } from '@insurance-verification/store';
import { StartError } from '../../config/start-error.ts';
import type { LocalSecrets } from './local-secrets.ts';

/**
 * The embedded database's master key, kept before anything is sealed with it.
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
    `DATA_DIR: ${secrets.pathOf('encryption-key')} is gone, and what the database beside it holds is sealed with that key. Put the file back, from a copy or a backup. Without it the data cannot be read: to begin with an empty database, move ${secrets.pathOf('postgres')} away.`,
  );
}

function assertKey(text: string, path: string): void {
  try {
    parseMasterKeys(text);
  } catch (err) {
    throw new StartError(
      `DATA_DIR: ${path} holds no key any more, and what the database beside it holds is sealed with it. Put the file back as it was, from a copy or a backup.`,
      { cause: err },
    );
  }
}
