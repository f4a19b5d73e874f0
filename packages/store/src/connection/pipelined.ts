import type { CompiledQuery } from 'kysely';
import type pg from 'pg';

/** Sends statements at once. Returns the rows of each, in order, when all are answered. @throws the first error. */
export type Send = <Statements extends readonly CompiledQuery[]>(
  ...statements: Statements
) => Promise<{
  readonly [Index in keyof Statements]: Statements[Index] extends CompiledQuery<infer Row>
    ? readonly Row[]
    : never;
}>;

/**
 * Runs a transaction: `work` sends its `begin` and its `commit` like any other statement. What is open when it fails is
 * rolled back.
 */
export type Pipelined = <T>(work: (send: Send) => Promise<T>) => Promise<T>;

/**
 * Makes transactions that send `begin` with the statement after it, and `commit` with the one before it: two round trips
 * where there were five, and a process of PostgreSQL that sleeps and wakes twice. A statement that follows a failed one is
 * refused by the server, and so is the `commit`.
 */
export function pipelinedOn(pool: { connect(): Promise<pg.PoolClient> }): Pipelined {
  return async (work) => {
    const client = (await pool.connect()) as pg.PoolClient & { pipeline: boolean };
    const send = async (...statements: readonly CompiledQuery[]) => {
      // In one write: PostgreSQL reads all of it when it wakes.
      client.connection.stream.cork();
      const sent = statements.map(async ({ sql, parameters }) => client.query(sql, [...parameters]));
      client.connection.stream.uncork();
      const answers = await Promise.allSettled(sent);
      return answers.map((answer) => {
        if (answer.status === 'rejected') throw answer.reason;
        return answer.value.rows;
      });
    };
    client.pipeline = true;
    try {
      return await work(send as Send);
    } catch (err) {
      await client.query('rollback').catch(() => undefined); // its own error matters; a broken connection is not reused
      throw err;
    } finally {
      client.pipeline = false;
      client.release();
    }
  };
}
