import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@insurance-verification/testing/free-port';
import { aPlace, type Place, startProgram } from './start-program.ts';

const CONFIG = new URL('../../../deploy/patroni/haproxy.cfg', import.meta.url);

/** A server of the cluster, and Patroni's port beside it. */
interface Backend {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
}

/** HAProxy with the repository's configuration, but for the addresses. Returns its port. */
export async function startHaproxy(
  { stack, folder }: Place,
  haproxy: string,
  backends: readonly Backend[],
): Promise<number> {
  const place = aPlace(folder, 'haproxy');
  const port = await freePort();
  const file = join(place, 'haproxy.cfg');
  const servers = backends.map(
    (each) => `  server ${each.name} 127.0.0.1:${each.port} check port ${each.restPort}`,
  );
  const [head = ''] = readFileSync(CONFIG, 'utf8').split(/^ {2}server /m);
  writeFileSync(
    file,
    `${head.replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`)}${servers.join('\n')}\n`,
    { mode: 0o644 },
  );
  startProgram({ stack, folder: place }, haproxy, ['-db', '-f', file]);
  return port;
}
