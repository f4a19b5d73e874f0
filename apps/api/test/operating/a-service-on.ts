import { createRestClient, type RestClient } from '@insurance-verification/client';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { API_KEY, serviceCommand } from '@insurance-verification/testing/start-service-process';
import { aProcess } from '../process/a-process.ts';

export interface ServiceOn {
  readonly url: string;
  readonly client: RestClient;
  stop(): Promise<void>;
}

/** The service as its own process on the test's database. */
export async function aServiceOn(
  databaseUrl: string,
  { masterKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}` }: { masterKeys?: string } = {},
): Promise<ServiceOn> {
  const service = aProcess(await serviceCommand(), {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: aFolder(),
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
