import { join } from 'node:path';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/failure.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { findDatabase, type FoundDatabase } from '../service/database.ts';
import { fields } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';

const EXAMPLE =
  'DATABASE_URL_FILE=/run/secrets/database-url ENCRYPTION_KEY_FILE=/run/secrets/encryption-key iv keys first';

/** The created keys, to be shown once. */
interface MadeKeys {
  readonly key: string | null;
  readonly test_key: string | null;
}

/** `iv keys first`: writes to the database directly, since the service would need a key. */
export function addFirstKey(keys: Command): void {
  withExample(keys.command('first'), EXAMPLE)
    .description(
      'make the account `default` and its key with every scope, and an account for tests with its own, in a migrated database without them (DATABASE_URL, ENCRYPTION_KEY; else the embedded one of a service that runs on DATA_DIR)',
    )
    .option('--replace', 'end the first key, which is lost or leaked, and make another')
    .action(async (options: { replace?: true }, command: Command) => {
      const terminal = openTerminal(command);
      const database = await findDatabase(process.env, EXAMPLE);
      const made = await makeKeys(database, options.replace === true);
      terminal.answer(
        made,
        fields([
          ['key', made.key ?? 'made before'],
          ...(made.test_key === null ? [] : [['test key', made.test_key] as const]),
        ]),
      );
      const path = made.key === null ? undefined : await keep(database, made.key);
      terminal.say(
        path === undefined
          ? 'A key is shown this once; only a hash of it is kept.'
          : `The key is kept in ${path}.`,
      );
    });
}

async function makeKeys(database: FoundDatabase, replaces: boolean): Promise<MadeKeys> {
  // Imported on demand: loading the database packages takes longer than most commands.
  const { createApiKeyText, ensureDefaultAccount, openStore, parseMasterKeys, replaceFirstKey } =
    await import('@insurance-verification/store');
  const { createWebhookSecret } = await import('@insurance-verification/webhook');
  const { connectionString, encryptionKey } = database;
  try {
    parseMasterKeys(encryptionKey);
  } catch (err) {
    if (err instanceof TypeError) throw new WrongUsageError(`${err.message}\n${rightExample(EXAMPLE)}`);
    throw err;
  }
  const make = async (): Promise<MadeKeys> => {
    const store = await openStore({ connectionString, encryptionKey, connectionCountMax: 1 });
    try {
      if (replaces) {
        const replaced = await replaceFirstKey(store);
        return { key: replaced.kind === 'replaced' ? replaced.key : null, test_key: null };
      }
      const none = { apiKey: undefined, webhookSecret: undefined };
      const made = await ensureDefaultAccount(store, {
        ...none,
        createWebhookSecret,
        createKey: createApiKeyText,
      });
      return { key: made.live, test_key: made.test };
    } finally {
      await store.close();
    }
  };
  const expected = 'a database that `iv migrate` was run on, and the ENCRYPTION_KEY it was first used with';
  const made = await explainDatabaseFailure('Making the first key', expected, make());
  if (made.key !== null || made.test_key !== null) return made;
  throw new CommandFailedError(
    replaces
      ? 'There is no first key to replace. Make it: iv keys first'
      : 'The first key was made before, and a key is shown once.\n' +
          'If it is lost: iv keys first --replace, which ends it and makes another.\n' +
          'With a key of scope admin, more of them: iv keys create --account acct_… --scope admin',
  );
}

/**
 * The file where the service keeps the key of its embedded database; undefined for any other database, which has none.
 */
async function keep({ dataDir }: FoundDatabase, key: string): Promise<string | undefined> {
  if (dataDir === undefined) return undefined;
  const path = join(dataDir, 'api-key');
  const { keepSecret } = await import('@insurance-verification/embedded-postgres');
  keepSecret(path, key);
  return path;
}
