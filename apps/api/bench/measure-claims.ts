import { randomUUID } from 'node:crypto';
import { claimWork, openStore, type Route, type Store } from '@insurance-verification/store';
import pg from 'pg';
import { aRequest } from './a-request.ts';
import { startProcess } from './start-process.ts';

interface ClaimBench {
  readonly env: Record<string, string>;
  readonly apiKey: string;
  readonly say: (line: string) => void;
}

/** Waiting requests, and as many finished ones beside them. */
const SIZES = [1_000, 1_000_000] as const;

const ACCOUNT_COUNT = 20;

/** Claims of one each; the first ones fill the caches. */
const CLAIM_COUNT = 600;
const WARM_COUNT = 100;

const CHANNELS = ['agent_web_portal', 'manual_phone_call'] as const;

/** How long a claim takes with a thousand requests waiting and with a million: the aim is a ratio of at most 1.5. */
export async function measureClaims({ env, apiKey, say }: ClaimBench) {
  const requestId = await postOne(env, apiKey);
  const pool = new pg.Pool({ connectionString: env['DATABASE_URL'] });
  pool.on('error', () => undefined); // its end does not wait for the connections': the server's may come first
  const store = await openStore({
    connectionString: env['DATABASE_URL'] ?? '',
    encryptionKey: env['ENCRYPTION_KEY'] ?? '',
  });
  try {
    const rows = [];
    let filled = 0;
    for (const size of SIZES) {
      await fill(pool, requestId, filled, size);
      filled = size;
      const times = await claimTimes(store);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      rows.push({ size, p50Ms: at(0.5), p99Ms: at(0.99) });
      say(
        `claims         ${size} waiting, ${size} finished  p50 ${at(0.5).toFixed(1)} ms  p99 ${at(0.99).toFixed(1)} ms`,
      );
    }
    const [small, large] = rows;
    const ratio = (large?.p99Ms ?? 0) / (small?.p99Ms ?? 1);
    say(`claims ratio   p99 ${ratio.toFixed(2)}`);
    return { rows, p99Ratio: ratio };
  } finally {
    await store.close();
    await pool.end();
  }
}

/** One real request, and the tables to copy it in. */
async function postOne(env: Record<string, string>, apiKey: string): Promise<string> {
  const service = await startProcess('../src/main.ts', env);
  const answer = await fetch(`${service.url}/requests/`, {
    method: 'POST',
    headers: { 'x-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(aRequest('http://127.0.0.1:9/verified')),
  });
  const { request_id: requestId } = (await answer.json()) as { request_id: string };
  await service.stop();
  if (!answer.ok) throw new Error(`The request was not stored: ${answer.status}.`);
  return requestId;
}

/** Copies, from so many on: half waiting for twenty accounts, half finished. What is sealed in them does not open. */
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
      `insert into request (id, account_id, payer_id, payer_name, input, outcome, version)
       select 'req_' || half.letter || lpad(n::text, 25, '0'), 'acct_' || lpad((n % $4 + 1)::text, 26, '0'), payer_id,
         payer_name, input, half.outcome, half.version
       from request, generate_series($2::int + 1, $3::int) n,
         (values ('0', 'none', 0), ('1', 'complete', 1)) as half (letter, outcome, version)
       where id = $1`,
      [requestId, from, to, ACCOUNT_COUNT],
    );
    await client.query('vacuum analyze request');
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
