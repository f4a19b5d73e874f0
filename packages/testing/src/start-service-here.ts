import { aFolder } from './a-folder.ts';
import { bundledService } from './bundled-service.ts';
import { BUNDLE_FOLDER } from './run-folder.ts';
import { API_KEY, ENCRYPTION_KEY } from './start-service-process.ts';

/** Of `apps/api/src/process/start-service.ts`. */
interface Service {
  readonly url: string | undefined;
  openConsole(): Promise<void>;
  stop(): Promise<void>;
}

export interface HereOptions {
  readonly databaseUrl: string;
  /** Default: a temporary folder, removed after the test file. */
  readonly dataDir?: string;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The service in the test's own process. */
export interface ServiceHere {
  readonly url: string;
  /** {@link API_KEY}, unless `env` sets another. */
  readonly apiKey: string;
  readonly dataDir: string;
  /** Builds the console's pages where they are missing, and serves them. */
  readonly openConsole: () => Promise<void>;
  /** Drains it. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the service in the test's own process, for a test that is not about the process: one of its own takes a second of
 * CPU to load what is loaded here by the first test of a worker. Nothing that it logs is kept.
 */
export async function startServiceHere({
  databaseUrl,
  dataDir = aFolder(),
  port = 0,
  env = {},
}: HereOptions): Promise<ServiceHere> {
  const bundle = await bundledService(process.env[BUNDLE_FOLDER] ?? '');
  const partOf = async <T>(file: string) => (await import(/* @vite-ignore */ `${bundle}/${file}.js`)) as T;
  const { startService } = await partOf<{ startService: (config: object, log: object) => Promise<Service> }>(
    'start-service',
  );
  const { readConfig } = await partOf<{ readConfig: (env: Record<string, string>) => object }>('config');
  const { createLog } = await partOf<{ createLog: (level: string, stream: object) => object }>('log');
  const config = readConfig({
    BOOTSTRAP_API_KEY: API_KEY,
    ENCRYPTION_KEY,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ...env,
  });
  const service = await startService(config, createLog('silent', { write: () => undefined }));
  return {
    url: service.url ?? '',
    apiKey: env['BOOTSTRAP_API_KEY'] ?? API_KEY,
    dataDir,
    openConsole: () => service.openConsole(),
    stop: () => service.stop(),
  };
}
