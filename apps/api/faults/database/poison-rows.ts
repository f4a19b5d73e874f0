import type { RequestModel } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFinishedRequest, deliveryOf } from '../ground/a-finished-request.ts';
import { answerOf } from '../ground/ask.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const CLAIMS_MAX = 20;

/** Twenty leases of ten seconds each, and a start. */
const TERMINAL_MS_MAX = 240_000;

/** A row that nobody can decrypt is given up after twenty claims; each round is one claim. */
export const poisonRows: FaultRow = {
  number: 15,
  fault: 'poison row; a start with a wrong master key',
  rounds: CLAIMS_MAX,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 4 });
    const http = await startService(ground, { databaseUrl, roles: 'http' });
    const poisoned = await aFinishedRequest(http.url, receiver.urls[0] ?? '');
    await rows(databaseUrl, `update delivery set destination = '\\x00'`);
    await rows(databaseUrl, 'update delivery_queue set claim_count = $1', [CLAIMS_MAX - ground.rounds]);
    await refuseWrongKey(ground, databaseUrl);
    await startService(ground, { databaseUrl, roles: 'delivery' });
    const startedAt = performance.now();
    const load = startLoad(ground, {
      urls: [http.url],
      callbackUrls: receiver.urls,
      clientCount: 2,
      countMax: 200,
    });
    await load.stop();
    await until('others flow', () => [...load.acceptedAt.keys()].every((id) => receiver.requestIds.has(id)));
    await until(
      'the poisoned row is terminal',
      async () => (await deliveryOf(http.url, poisoned.request_id)).status === 'exhausted',
      TERMINAL_MS_MAX,
    );
    tally.recovered(performance.now() - startedAt);
    const shown = await answerOf<RequestModel>('GET', `${http.url}/requests/${poisoned.request_id}`);
    tally.holds(
      shown.state === 'error_sending_webhook' && shown.error_reason === 'webhook_exhausted',
      `the poisoned request shows ${shown.state}, ${shown.error_reason}`,
    );
    tally.holds(!receiver.requestIds.has(poisoned.request_id), 'a row that does not open was sent');
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: false, strayCount: 1 });
  },
};

/** The wrong key changes nothing in the database. */
async function refuseWrongKey(ground: Ground, databaseUrl: string): Promise<void> {
  const before = await contents(databaseUrl);
  const env = { ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 9).toString('base64')}` };
  const refusal = await startService(ground, { databaseUrl, env }).then(
    () => 'it started',
    (err: unknown) => String(err),
  );
  ground.tally.holds(
    /ended with exit 1: .*ENCRYPTION_KEY|master key/s.test(refusal),
    `a wrong key: ${refusal}`,
  );
  ground.tally.holds((await contents(databaseUrl)) === before, 'a refused start touched a row');
}

async function contents(databaseUrl: string): Promise<string> {
  const tables = await rows<{ name: string }>(
    databaseUrl,
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const texts = tables.map(async ({ name }) => {
    const found = await rows<{ text: string }>(
      databaseUrl,
      `select coalesce(jsonb_agg(to_jsonb(t) order by t::text), '[]')::text as text from ${name} t`,
    );
    return `${name} ${found[0]?.text}`;
  });
  return (await Promise.all(texts)).join('\n');
}
