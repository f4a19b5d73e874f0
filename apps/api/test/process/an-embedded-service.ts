import { aFolder } from '@insurance-verification/testing/a-folder';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { describeStartFailure } from '../../src/process/describe-start-failure.ts';
import { type Service, startService } from '../../src/process/start-service.ts';
import { createLog } from '../../src/telemetry/log.ts';

type Environment = Readonly<Record<string, string>>;

/** A service with exactly these variables and its own port, stopped after the test. */
export async function start(environment: Environment): Promise<Service> {
  const log = createLog('silent', { write: () => undefined });
  const service = await startService(readConfig({ PORT: '0', ...environment }), log);
  onTestFinished(() => service.stop());
  return service;
}

/** A data directory with the embedded server's cluster, and nothing of a service. */
export function aDataDir(): string {
  const dataDir = aFolder();
  layCluster(dataDir);
  return dataDir;
}

/** What a failing start with these variables prints in the terminal. */
export async function failureOf(environment: Environment): Promise<string> {
  try {
    await start(environment);
  } catch (err) {
    return describeStartFailure(err);
  }
  throw new Error('It started.');
}
