import type pg from 'pg';
import { PREPARED } from '../../functions/prepared-call.ts';

export interface PreparingClient {
  /** False at first, and through a pooler: there the next call may run in another backend. */
  preparesCalls: boolean;
}

/** Pool clients that prepare the calls marked with {@link PREPARED}. */
export function preparingClient(Client: typeof pg.Client): typeof pg.Client {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `call_${names.size}`;
    names.set(text, name);
    return name;
  };
  const Preparing = class extends Client implements PreparingClient {
    preparesCalls = false;

    // @ts-expect-error one body serves all overloads
    override query(text: unknown, values?: unknown, callback?: unknown): unknown {
      const isPrepared = this.preparesCalls && typeof text === 'string' && text.endsWith(PREPARED);
      const given = isPrepared ? [{ name: nameOf(text), text, values }, undefined] : [text, values];
      return (super.query as (...given: unknown[]) => unknown).call(this, ...given, callback);
    }
  };
  return Preparing as unknown as typeof pg.Client;
}
