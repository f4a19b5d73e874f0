import type pg from 'pg';
import { PREPARED } from '../../functions/prepared-call.ts';
import { type Answered, PreparedQuery, type PreparedStatement } from './prepared-query.ts';

export interface PreparingClient {
  /** False at first, and through a pooler: there the next call may run in another backend. */
  preparesCalls: boolean;
}

/** Pool clients that prepare the calls marked with {@link PREPARED}. */
export function preparingClient(Client: typeof pg.Client): typeof pg.Client {
  const Preparing = class extends Client implements PreparingClient {
    preparesCalls = false;
    readonly #statements = new Map<string, PreparedStatement>();

    // @ts-expect-error one body serves all overloads
    override query(text: unknown, values?: unknown, callback?: unknown): unknown {
      if (this.preparesCalls && typeof text === 'string' && text.endsWith(PREPARED))
        return super.query(
          new PreparedQuery(this.#statementOf(text), values as unknown[], callback as Answered),
        );
      return (super.query as (...given: unknown[]) => unknown).call(this, text, values, callback);
    }

    #statementOf(text: string): PreparedStatement {
      const known = this.#statements.get(text);
      if (known) return known;
      const statement = { name: `call_${this.#statements.size}`, text, columns: null };
      this.#statements.set(text, statement);
      return statement;
    }
  };
  return Preparing as unknown as typeof pg.Client;
}
