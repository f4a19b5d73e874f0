import { createHash } from 'node:crypto';

/**
 * A database function that an operation calls. Its text is kept beside the operation; `migrate` creates it.
 *
 * PL/pgSQL caches a function's plans for the session, also through a pooler. Parsed and planned each time, intake's
 * statement took the database 1.5 to 2.1 ms of CPU at 8 rows, now 1.0; the three statements of each result now take 1.4
 * ms instead of 2.0.
 */
export interface DatabaseFunction {
  /** Ends in a hash of its text: `finish_attempts_0a1b2c3d`. */
  readonly name: string;
  /** The `create function` statement. */
  readonly definition: string;
}

/**
 * Names a function after its content: a changed text gets a new name. During a deployment the processes of both
 * versions call their own functions, and nobody needs to remember to bump a version.
 * @param define returns the statement; it takes the name, with which PL/pgSQL tells a parameter from a column.
 */
export function databaseFunction(name: string, define: (name: string) => string): DatabaseFunction {
  const version = createHash('sha256').update(define(name)).digest('hex').slice(0, 8);
  const versioned = `${name}_${version}`;
  return { name: versioned, definition: define(versioned) };
}
