import type { ServiceProcess } from '@insurance-verification/testing/start-service-process';
import type { Ground } from '../fault-row.ts';
import type { Cluster } from '../ground/patroni/start-cluster.ts';
import { startPgBouncer } from '../ground/postgres/start-pgbouncer.ts';
import { startService } from '../ground/start-service.ts';

/** A process of the service, and how it reaches the cluster. */
export interface Way {
  readonly name: string;
  readonly service: ServiceProcess;
}

/** Of each of PgBouncer's two processes at most as many connections as they have themselves. */
const POOL_SIZE = 20;

/** One process for each way that the guide names, all on one database. */
export async function startEachWay(ground: Ground, { databaseUrl, hostsUrl }: Cluster): Promise<Way[]> {
  const pooler = await startPgBouncer(ground, databaseUrl, { poolSize: POOL_SIZE });
  if (!pooler) throw new Error('There is no pgbouncer.');
  return [
    { name: 'HAProxy', service: await startService(ground, { databaseUrl }) },
    { name: 'several hosts', service: await startService(ground, { databaseUrl: hostsUrl }) },
    {
      name: 'PgBouncer',
      service: await startService(ground, {
        databaseUrl: pooler.databaseUrl,
        env: { DATABASE_DIRECT_URL: databaseUrl },
      }),
    },
  ];
}
