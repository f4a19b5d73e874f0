import type pg from 'pg';
import { PREPARED } from '../../functions/prepared-call.ts';

export interface PreparingClient {
  /** False at first, and through a pooler: there the next call may run in another backend. */
  preparesCalls: boolean;
}

/** Pool clients that prepare the calls marked with {@link PREPARED}, each once a connection. */
export function preparingClient(Client: typeof pg.Client): typeof pg.Client {
  const Preparing = class extends Client implements PreparingClient {
    preparesCalls = false;
    readonly #names = new Map<string, string>();

    // @ts-expect-error one body serves all overloads
    override query(text: unknown, values?: unknown, callback?: unknown): unknown {
      const query = super.query.bind(this) as (...given: unknown[]) => unknown;
      if (!this.preparesCalls || typeof text !== 'string' || !text.endsWith(PREPARED))
        return query(text, values, callback);
      return query({ name: this.#nameOf(text), text, values }, callback);
    }

    #nameOf(text: string): string {
      const name = this.#names.get(text) ?? `call_${this.#names.size}`;
      this.#names.set(text, name);
      return name;
    }
  };
  return Preparing as unknown as typeof pg.Client;
}
