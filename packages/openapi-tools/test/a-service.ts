import { createTestDatabase } from '@insurance-verification/store/testing';
import {
  type ServiceProcess,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';

/** A service on its own database, for all tests of a file. */
export const useService = (): (() => ServiceProcess) =>
  useInFile(async () => {
    const { connectionString } = await createTestDatabase();
    return startServiceProcess({ databaseUrl: connectionString, roles: 'http' });
  });
