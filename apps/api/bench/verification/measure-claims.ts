import { randomUUID } from 'node:crypto';
import { claimWork, openStore, type Route, type Store } from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import pg from 'pg';
import { API_KEY, type BenchDatabase } from '../ground/bench-server.ts';
import { SERVICE, startProcess } from '../ground/start-process.ts';
import type { Part } from '../part.ts';
import { latencyText } from '../report.ts';

/** Waiting requests, with as many finished ones. */
const SIZES = [1_000, 1_000_000] as const;

const ACCOUNT_COUNT = 20;

/** Claims of one request each; the first ones fill the caches. */
const CLAIM_COUNT = 600;
const WARM_COUNT = 100;

const CHANNELS = ['agent_web_portal', 'manual_phone_call'] as const;

/** The duration of a claim with a thousand waiting requests and with a million. */
export const claims: Part = {
  name: 'claims',
  run: async ({ server, say }) => {
    await using database = await server.aDatabase();
    const rows = await measureSizes(database);
    for (const row of rows) say(`claims: ${row.size} waiting, ${row.size} finished: ${latencyText(row)}`);
    const p99Ratio = (rows[1]?.p99Ms ?? Number.NaN) / (rows[0]?.p99Ms ?? Number.NaN);
    say(`claims ratio: p99 ${p99Ratio.toFixed(2)}`);
  },
};

interface SizeTimes {
  readonly size: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measureSizes({ env }: BenchDatabase): Promise<SizeTimes[]> {
  const requestId = await postOne(env);
  const pool = new pg.Pool({ connectionString: env['DATABASE_URL'] });
  pool.on('error', () => undefined); // the pool's end does not wait for its connections: the server may end first
  const store = await openStore({
    connectionString: env['DATABASE_URL'] ?? '',
    encryptionKey: env['ENCRYPTION_KEY'] ?? '',
  });
  try {
    const rows: SizeTimes[] = [];
    for (const size of SIZES) {
      await fill(pool, requestId, rows.at(-1)?.size ?? 0, size);
      const times = await claimTimes(store);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      rows.push({ size, p50Ms: at(0.5), p99Ms: at(0.99) });
    }
    return rows;
  } finally {
    await store.close();
    await pool.end();
  }
}

/** Stores one real request, and creates the tables to copy it in. */
async function postOne(env: BenchDatabase['env']): Promise<string> {
  const service = await startProcess(SERVICE, env);
  const answer = await fetch(`${service.url}/requests/`, {
    method: 'POST',
    headers: { 'x-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(aRequest({ callback_url: 'http://127.0.0.1:9/verified' })),
  });
  const { request_id: requestId } = (await answer.json()) as { request_id: string };
  await service.stop();
  if (!answer.ok) throw new Error(`The request was not stored: ${answer.status}.`);
  return requestId;
}

/**
 * Copies the request, starting at number `from`: half waiting for twenty accounts, half finished. Half of each
 * account's are needed within two days. Their encrypted data does not decrypt.
 */
async function fill(pool: pg.Pool, requestId: string, from: number, to: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(
      `insert into account (id, name, kind, mode, webhook_secret)
       select 'acct_' || lpad(n::text, 26, '0'), '"bench"', 'provider', 'live', ''
       from generate_series(1, $1::int) n on conflict do nothing`,
      [ACCOUNT_COUNT],
    );
    await client.query(
      `with added as (
         insert into request (id, account_id, payer_id, payer_name, input, member_index, outcome, version, channel,
           needed_by)
         select 'req_' || half.letter || lpad(n::text, 25, '0'), 'acct_' || lpad((n % $4 + 1)::text, 26, '0'), payer_id,
           payer_name, input, member_index, half.outcome, half.version, half.channel,
           case when n / $4 % 2 = 0 then now() + n % 2880 * interval '1 minute' end
         from request, generate_series($2::int + 1, $3::int) n,
           (values ('0', 'none', 0, null), ('1', 'complete', 1, 'entry')) as half (letter, outcome, version, channel)
         where id = $1
         returning *
       )
       insert into work_queue (request_id, account_id, payer_id, pool, needed_by, channel_until)
       select id, account_id, payer_id, 'live', needed_by, now() + (needed_by - now()) / 2 from added where outcome = 'none'`,
      [requestId, from, to, ACCOUNT_COUNT],
    );
    await client.query('vacuum analyze request, work_queue');
  } finally {
    client.release();
  }
}

async function claimTimes(store: Store): Promise<number[]> {
  const payers = await store.db.selectFrom('request').select('payer_id').distinct().execute();
  const routes: Route[] = payers.map(({ payer_id: payerId }) => ({
    payerId,
    channels: CHANNELS.map((source) => ({ source, attemptCountMax: 3, secondsMax: 3_600 })),
    skipsUnattended: false,
    holdsAgentResults: false,
    phoneHours: null,
    inFlightCountMax: null,
  }));
  const caller = {
    keyId: `key_${randomUUID()}`,
    accountId: 'bench',
    mode: 'live',
    acrossAccounts: true,
  } as const;
  const times: number[] = [];
  for (let index = 0; index < WARM_COUNT + CLAIM_COUNT; index += 1) {
    const startedAt = performance.now();
    await claimWork(store, { caller, routes, channels: CHANNELS, limit: 1, leaseSeconds: 600 });
    if (index >= WARM_COUNT) times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b);
}
