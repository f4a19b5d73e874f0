import { createRestClient, type RestClient } from '@insurance-verification/client';
import { createTestDatabase } from '@insurance-verification/store/testing';
import {
  type HereOptions,
  type ServiceHere,
  startServiceHere,
} from '@insurance-verification/testing/start-service-here';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';

/** A service, and a client for it. */
export interface TestService extends ServiceHere {
  readonly client: RestClient;
}

/** The service as its own process, and a client for it. */
export async function startTestService(
  options: ServiceProcessOptions,
): Promise<ServiceProcess & { readonly client: RestClient }> {
  const service = await startServiceProcess(options);
  return { ...service, client: createRestClient(service) };
}

/** A service, which the caller stops. */
export async function aService(options: HereOptions): Promise<TestService> {
  const service = await startServiceHere(options);
  return { ...service, client: createRestClient(service) };
}

/** One service on its own database for all tests of a file; `env` adds to the minimal configuration. */
export function useService(env: Record<string, string> = {}): () => TestService {
  return useInFile(async () => {
    const { connectionString } = await createTestDatabase();
    return aService({ databaseUrl: connectionString, env });
  });
}
