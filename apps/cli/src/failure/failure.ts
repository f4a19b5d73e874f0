import { NotFoundError } from '@insurance-verification/client';
import { escapeHidden } from '@insurance-verification/schema';

/** A command could not do its work; the message addresses the person who ran it. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}

/** A command got arguments, options or an environment that it cannot use. */
export class WrongUsageError extends Error {
  override readonly name = 'WrongUsageError';
}

/** The verification found no fault, and a part of the audit cannot be verified yet: exit code 3. */
export class OpenEndedError extends Error {
  override readonly name = 'OpenEndedError';
}

/** A batch was received, and some of its rows were rejected: exit code 3. */
export class RowsRejectedError extends Error {
  override readonly name = 'RowsRejectedError';
}

/** The things that a command is about: the words for each, and the command that lists them. */
export const SUBJECTS = {
  request_id: { name: 'request', about: 'the id the service issued', list: 'iv requests list' },
  batch_id: { name: 'batch', about: 'its id; `iv batch list` shows it', list: 'iv batch list' },
  held_id: { name: 'held output', about: 'its id; `iv held list` shows it', list: 'iv held list' },
  key_id: { name: 'key', about: 'its id, not its text', list: 'iv keys list' },
  account_id: { name: 'account', about: 'its id; `iv accounts list` shows it', list: 'iv accounts list' },
  endpoint_id: { name: 'endpoint', about: 'its id; `iv endpoints list` shows it', list: 'iv endpoints list' },
  hold_id: { name: 'hold', about: 'its id; `iv holds list` shows it', list: 'iv holds list' },
  staff_id: { name: 'person', about: 'whose; `iv staff list` shows them', list: 'iv staff list' },
  session_id: { name: 'session', about: 'which; `iv sessions list` shows them', list: 'iv sessions list' },
} as const;

export type Subject = keyof typeof SUBJECTS;

/**
 * Names the missing thing: the service's 404 does not say what it looked for.
 * @param kind follows the id: `who may sign in`.
 */
export async function nameMissing<T>(
  subject: Subject,
  id: string,
  call: Promise<T>,
  kind?: string,
): Promise<T> {
  try {
    return await call;
  } catch (err) {
    if (!(err instanceof NotFoundError) || err.problemCode !== 'not_found') throw err;
    const { name, list } = SUBJECTS[subject];
    const missing = [name, escapeHidden(id), ...(kind === undefined ? [] : [kind])].join(' ');
    throw new CommandFailedError(
      `Not found (404): there is no ${missing}, or this API key may not see it. What there is: ${list}`,
    );
  }
}

/**
 * On failure, adds which operation failed to the error of the database or its connection.
 * @param expected what must hold for the operation to work.
 */
export async function explainDatabaseFailure<T>(
  what: string,
  expected: string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (!(err instanceof Error)) throw err;
    // Its own message says what to do.
    if (err.name === 'OtherSchemaError') throw new CommandFailedError(err.message);
    // A host with several addresses fails with several errors and an empty message.
    const reason = err.message || ((err as NodeJS.ErrnoException).code ?? err.name);
    throw new CommandFailedError(`${what} failed: ${escapeHidden(reason)}\nExpected ${expected}.`);
  }
}
