import type { Command } from 'commander';
import { readEncryptionKey } from '../config.ts';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure.ts';
import { requireDatabaseUrl } from '../require-database-url.ts';
import { fields } from '../table.ts';
import { tellDatabaseFailure } from '../tell-database-failure.ts';
import { openTerminal } from '../terminal.ts';

const EXAMPLE = 'DATABASE_URL=postgres://… ENCRYPTION_KEY=k1:… iv keys first';

/** `iv keys first`: straight in the database, since a key is needed to ask the service for one. */
export function addFirstKey(keys: Command): void {
  withExample(keys.command('first'), EXAMPLE)
    .description(
      'make the account `default` and its key with every scope, in a migrated database without one (DATABASE_URL, ENCRYPTION_KEY)',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      const key = await makeFirstKey(requireDatabaseUrl(process.env, EXAMPLE), requireEncryptionKey());
      terminal.answer({ key }, fields([['key', key]]));
      terminal.say('The key is shown this once; only a hash of it is kept.');
    });
}

async function makeFirstKey(connectionString: string, encryptionKey: string): Promise<string> {
  // Only here: loading the database's packages takes longer than most commands.
  const { ensureDefaultAccount, openStore, parseMasterKeys } = await import('@insurance-verification/store');
  const { createWebhookSecret } = await import('@insurance-verification/webhook');
  try {
    parseMasterKeys(encryptionKey);
  } catch (err) {
    if (err instanceof TypeError) throw new WrongUsageError(`${err.message}\n${rightExample(EXAMPLE)}`);
    throw err;
  }
  const make = async () => {
    const store = await openStore({ connectionString, encryptionKey, connectionCountMax: 1 });
    const given = { apiKey: undefined, webhookSecret: undefined, createWebhookSecret };
    return ensureDefaultAccount(store, given).finally(() => store.close());
  };
  const expected = 'a database that `iv migrate` was run on, and the ENCRYPTION_KEY it was first used with';
  const key = await tellDatabaseFailure('Making the first key', expected, make());
  if (key !== null) return key;
  throw new CommandFailedError(
    'The first key was made before: this database has the account `default`, and a key is shown once.\n' +
      'With a key of scope admin: iv keys create --account acct_… --scope admin. Without one: start the service with BOOTSTRAP_API_KEY.',
  );
}

function requireEncryptionKey(): string {
  const key = readEncryptionKey(process.env);
  if (key !== undefined) return key;
  throw new WrongUsageError(
    `No encryption key. Expected the service's id:base64-of-32-bytes in ENCRYPTION_KEY, which is not set.\n${rightExample(EXAMPLE)}`,
  );
}
