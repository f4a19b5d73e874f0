import { createHash } from 'node:crypto';

/**
 * A database function that an operation calls. Its text is next to the operation; `migrate` creates it.
 *
 * PL/pgSQL caches a function's plans for the session, also through a pooler. Parsed and planned each time, intake's
 * statement took the database 1.5 to 2.1 ms of CPU at 8 rows, now 1.0; the three statements of each result now take 1.4
 * ms instead of 2.0.
 *
 * A cached plan must suit every size of the tables, and the first is made while they are empty. So the functions set
 * `plan_cache_mode` to one plan for all values and turn off the plans that read a whole table, or half an index, for a join:
 * they follow indexes row by row.
 */
export interface DatabaseFunction {
  /** Ends in a hash of its text: `finish_attempts_0a1b2c3d`. */
  readonly name: string;
  /** The name in its text, which its comment in the database has: by it calls of all versions are added up. */
  readonly plainName: string;
  /** The statements that create it. */
  readonly definition: string;
}

/**
 * Names a function after its content: a changed text gets a new name. During a deployment the processes of both
 * versions call their own functions, and no version has to be raised by hand.
 * @param text a `create function` statement, under the plain name.
 * @param called other functions that it calls, under their plain names.
 */
export function databaseFunction(text: string, ...called: readonly DatabaseFunction[]): DatabaseFunction {
  const plainName = /^\s*create function (\w+)\(/.exec(text)?.[1];
  if (plainName === undefined) throw new Error('A database function begins with "create function".');
  const linked = called.reduce((linking, one) => renamed(linking, one.plainName, one.name), text);
  const name = `${plainName}_${createHash('sha256').update(linked).digest('hex').slice(0, 8)}`;
  const definition = `${renamed(linked, plainName, name)};\ncomment on function ${name} is '${plainName}'`;
  return { name, plainName, definition };
}

const renamed = (text: string, from: string, to: string) =>
  text.replaceAll(new RegExp(`\\b${from}\\(`, 'g'), `${to}(`);
