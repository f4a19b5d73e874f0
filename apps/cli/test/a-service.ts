import { createRestClient, type RestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';

/** The service as its own process, and a client for it. */
export interface TestService extends ServiceProcess {
  readonly client: RestClient;
}

export async function startTestService(options: ServiceProcessOptions): Promise<TestService> {
  const service = await startServiceProcess(options);
  return { ...service, client: createRestClient(service) };
}

/** One service on its own database for all tests of a file; `env` adds to the minimal configuration. */
export function useService(env: Record<string, string> = {}): () => TestService {
  return useInFile(async () => {
    const { connectionString } = await createTestDatabase();
    return startTestService({ databaseUrl: connectionString, env });
  });
}
