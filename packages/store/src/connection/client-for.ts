import pg from 'pg';
import { PREPARED } from '../functions/prepared-call.ts';
import { clientConfig } from './client-config.ts';
import { parseDatabaseAddress } from './database-address.ts';
import { DatabaseNotWritableError, Primary } from './primary.ts';
import { SET_SESSION } from './role-settings.ts';

type OnConnect = (err?: Error | null) => void;

/**
 * Makes a client class for the database at a URL. Each client connects to the server that currently takes writes; the
 * clients of one class share what they know about it. A broken connection fails only its own statements.
 * @throws {TypeError} when the URL cannot be read.
 */
export function clientFor(connectionString: string): typeof pg.Client {
  const address = parseDatabaseAddress(connectionString);
  const [first = { host: 'localhost', port: 5432 }, ...others] = address.hosts;
  const primary = new Primary(address);

  const Addressed = class extends pg.Client {
    /** Reported by servers since PostgreSQL 14 on connecting. */
    #isStandby = false;

    constructor(config: pg.ClientConfig = {}) {
      super({ application_name: 'insurance-verification', ...config, ...clientConfig(address, first) });
      // The current or the next statement reports it. Without a listener it would end the process, already when a server
      // ends the session at once: before the connecting client hears that it has.
      this.on('error', () => undefined);
      this.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby') this.#isStandby = status.parameterValue === 'on';
      });
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === '25006') primary.forget();
      });
    }

    // @ts-expect-error one body serves all overloads
    override connect(callback?: OnConnect): Promise<void> | undefined {
      const connecting = this.#connect();
      if (!callback) return connecting;
      connecting.then(() => callback(null), callback);
      return undefined;
    }

    async #connect(): Promise<void> {
      const found = await primary.find();
      if (others.length > 0) Object.assign(this, clientConfig(address, found));
      try {
        await super.connect();
        await this.query(SET_SESSION);
      } catch (err) {
        primary.forget();
        throw err;
      }
      if (!this.#isStandby || others.length === 0) return;
      primary.forget();
      void super.end().catch(() => undefined); // never handed out
      throw new DatabaseNotWritableError('25006');
    }
  };
  return Addressed as unknown as typeof pg.Client;
}

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
