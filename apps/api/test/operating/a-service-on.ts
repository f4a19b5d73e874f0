import { createRestClient, type RestClient } from '@insurance-verification/client';
import { commandLine, aProcess } from '../process/a-process.ts';

const API_KEY = 'bootstrap-key-of-the-tests-0123456789';

export interface ServiceOn {
  readonly url: string;
  readonly client: RestClient;
  stop(): Promise<void>;
}

/** The service as its own process on a database of the test's. */
export async function aServiceOn(
  databaseUrl: string,
  { masterKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}` }: { masterKeys?: string } = {},
): Promise<ServiceOn> {
  const service = aProcess(commandLine, {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: masterKeys,
      BOOTSTRAP_API_KEY: API_KEY,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await service.url();
  return {
    url,
    client: createRestClient({ url, apiKey: API_KEY }),
    stop: async () => {
      service.child.kill('SIGTERM');
      await service.ended();
    },
  };
}
