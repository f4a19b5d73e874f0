import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import type { Ground } from '../fault-row.ts';
import { aFolder } from './a-folder.ts';

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The service in its own process, by default without the API channel; it stops with the row. */
export async function startService(
  { stack }: Ground,
  options: ServiceProcessOptions,
): Promise<ServiceProcess> {
  const dataDir = options.dataDir ?? aFolder(stack);
  const service = await startServiceProcess({
    roles: 'http,delivery',
    ...options,
    dataDir,
    env: { BOOTSTRAP_WEBHOOK_SECRET: WEBHOOK_SECRET, ...options.env },
  });
  stack.defer(service.kill);
  return service;
}
