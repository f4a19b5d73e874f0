import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Config, readConfig } from '../src/config/config.ts';
import { type Service, startService } from '../src/process/start-service.ts';
import { createLog } from '../src/telemetry/log.ts';
import { MASTER_KEY } from './master-key.ts';
import { type Answer, type Ask, send } from './send.ts';

export const BOOTSTRAP_KEY = 'bootstrap-key-of-the-tests-0123456789';
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The default configuration of tests: the minimum that starts on a given database. */
function environment(databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: aFolder(),
    ENCRYPTION_KEY: MASTER_KEY,
    BOOTSTRAP_API_KEY: BOOTSTRAP_KEY,
    BOOTSTRAP_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
}

export interface TestService {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  readonly databaseUrl: string;
  readonly config: Config;
  readonly firstKeys: Service['firstKeys'];
  readonly firstLink: Service['firstLink'];
  /** Every logged line, as text. */
  readonly logLines: readonly string[];
  /** Calls with the bootstrap key, unless `key` is another one or null for none. */
  ask(method: string, path: string, options?: Omit<Ask, 'url'> & { key?: string | null }): Promise<Answer>;
  /** Calls, and returns the JSON body of a 200; throws for any other status. */
  answer<T = never>(method: string, path: string, body?: unknown, key?: string): Promise<T>;
  /** Builds the console if necessary, and serves it. */
  openConsole(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Another service's database; a new one by default. */
  readonly databaseUrl?: string;
  readonly env?: Record<string, string>;
}

/** A running service on its own database. The caller stops it; see `useService` and `aService`. */
export async function startTestService({ databaseUrl, env = {} }: ServiceOptions = {}): Promise<TestService> {
  const url = databaseUrl ?? (await createTestDatabase()).connectionString;
  const logLines: string[] = [];
  const config = readConfig({ ...environment(url), ...env });
  const log = createLog(config.logLevel, { write: (line) => void logLines.push(line) });
  const service = await startService(config, log);
  let stopping: Promise<void> | undefined;
  const ask: TestService['ask'] = (method, path, { key = BOOTSTRAP_KEY, headers, ...options } = {}) =>
    send(method, `${service.url}${path}`, {
      ...options,
      headers: { ...(key !== null && { 'x-key': key }), ...headers },
    });
  return {
    url: service.url ?? '',
    metricsUrl: service.metricsUrl,
    databaseUrl: url,
    config,
    firstKeys: service.firstKeys,
    firstLink: service.firstLink,
    logLines,
    ask,
    answer: async <T>(method: string, path: string, body?: unknown, key: string = BOOTSTRAP_KEY) => {
      const { status, json, text } = await ask(method, path, { key, ...(body !== undefined && { body }) });
      if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${text}`);
      return json as T;
    },
    openConsole: () => service.openConsole(),
    stop: () => (stopping ??= service.stop()),
  };
}

/** A running service for one test, stopped after it. */
export async function aService(options?: ServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  return service;
}

/**
 * The service of a test file: started before its first test, stopped after its last one.
 * @param options made before the first test, if they are a function: they may need a temporary folder.
 */
export function useService(options?: ServiceOptions | (() => ServiceOptions)): TestService {
  let started: TestService | undefined;
  beforeAll(async () => {
    started = await startTestService(typeof options === 'function' ? options() : options);
  });
  afterAll(() => started?.stop());
  return new Proxy({} as TestService, {
    get(_, name) {
      if (!started) throw new Error('The service of this file is used before its first test.');
      return Reflect.get(started, name) as unknown;
    },
  });
}
