import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY } from '../ground/bench-server.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import type { Ground } from '../part.ts';
import { arrivalsOf, type Receivers } from './start-receivers.ts';
import { createRequests, submit } from './submit-results.ts';

/** A worker is killed during its attempts while another stands by: milliseconds until all were sent again. */
export async function measureRecovery({ server, say }: Ground, receivers: Receivers): Promise<void> {
  await using database = await server.aDatabase();
  const http = await startProcess(SERVICE, { ...database.env, ROLES: 'http' });
  const worker = await startProcess(SERVICE, { ...database.env, ROLES: 'delivery' });
  const target = { url: http.url, apiKey: API_KEY };
  const requests = await createRequests(target, receivers.urls.late, 4); // two in-flight slots for each of two hosts
  for (const request of requests) await submit(target, request);
  const ids = requests.map((request) => request.request_id ?? '');
  await arrivalsOf(receivers, ids);
  const standby = await startProcess(SERVICE, { ...database.env, ROLES: 'delivery' });
  const killedAt = performance.timeOrigin + performance.now();
  await worker.kill();
  let again: number[] = [];
  while (again.length < ids.length) {
    await sleep(50);
    const arrivals = await receivers.arrivals();
    again = ids.flatMap((id) => arrivals.get(id)?.find((at) => at > killedAt) ?? []);
  }
  await standby.stop();
  await http.stop();
  const recoveryMs = Math.max(...again) - killedAt;
  say(`recovery: SIGKILL to redelivered, at worst ${Math.round(recoveryMs)} ms`);
}
