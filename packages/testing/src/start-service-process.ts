import { fileURLToPath } from 'node:url';
import { aFolder } from './a-folder.ts';
import { bundledService } from './bundled-service.ts';
import { BUNDLE_FOLDER } from './run-folder.ts';
import { startFlags } from './start-flags.ts';
import { type StartedProcess, startProcess } from './start-process.ts';

/** Defaults of every service in the tests. */
export const API_KEY = 'bootstrap-key-of-the-tests-0123456789';
export const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

export type Command = readonly [string, ...string[]];

/** Node with its arguments, as in `pnpm start`. */
export const SERVICE_COMMAND: Command = [
  process.execPath,
  ...startFlags,
  fileURLToPath(new URL('../../../apps/api/src/main.js', import.meta.url)),
];

/** The same, in a run of tests from fewer files, for tests that are not about the sources. */
export async function serviceCommand(): Promise<Command> {
  const folder = process.env[BUNDLE_FOLDER];
  return folder === undefined
    ? SERVICE_COMMAND
    : [process.execPath, ...startFlags, `${await bundledService(folder)}/main.js`];
}

export interface ServiceProcessOptions {
  /** Default: this version, by {@link serviceCommand}. */
  readonly command?: Command;
  /** Default: the embedded server in `dataDir`. */
  readonly databaseUrl?: string;
  /** Default: a temporary folder, removed after the test file. */
  readonly dataDir?: string;
  readonly roles?: 'http' | 'delivery' | 'http,delivery' | 'http,verification';
  /** 0 picks a free port. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The service in its own process. */
export interface ServiceProcess extends StartedProcess {
  /** {@link API_KEY}, unless `env` sets another. */
  readonly apiKey: string;
  /** Holds the first key, if the service generated one itself. */
  readonly dataDir: string;
}

/**
 * Starts the service with the minimal environment, overridden by `env`.
 * @throws when it ended first, with its output
 */
export async function startServiceProcess({
  command,
  databaseUrl,
  dataDir = aFolder(),
  roles,
  port = 0,
  env = {},
}: ServiceProcessOptions): Promise<ServiceProcess> {
  const service = await startProcess(command ?? (await serviceCommand()), {
    BOOTSTRAP_API_KEY: API_KEY,
    ENCRYPTION_KEY,
    PORT: String(port),
    DATA_DIR: dataDir,
    ...(roles !== undefined && { ROLES: roles }),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...env,
  });
  return { ...service, apiKey: env['BOOTSTRAP_API_KEY'] ?? API_KEY, dataDir };
}
