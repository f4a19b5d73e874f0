import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import { request } from 'undici';
import { aPlace, type Place, startProgram } from './start-program.ts';

/** One etcd, whose address it returns: who leads is written there. */
export async function startEtcd({ stack, folder }: Place, etcd: string): Promise<string> {
  const place = aPlace(folder, 'etcd');
  const [clients, peers] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  startProgram({ stack, folder: place }, etcd, [
    `--data-dir=${place}/data`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
  ]);
  await until('etcd is healthy', async () => {
    const answer = await request(`${clients}/health`).catch(() => null);
    return /"health": ?"true"/.test((await answer?.body.text()) ?? '');
  });
  return new URL(clients ?? '').host;
}
