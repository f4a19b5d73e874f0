import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';

// What a job of either library does: a signed post, and one row for the attempt. Nothing is sealed, no address is
// guarded, no host waits its turn.
const secret = randomBytes(24);
const dispatcher = new Agent({ connections: 16, pipelining: 1 });
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

/** Makes the table of attempts. */
export async function prepare() {
  await pool.query(
    'create table attempt (id bigint generated always as identity primary key, delivery_id uuid not null, status int not null, at timestamptz not null default now())',
  );
}

/** The payloads to queue: their bodies stand in the job. */
export function payloads() {
  const urls = process.env.URLS.split(' ');
  const body = 'x'.repeat(Number(process.env.BODY_BYTES));
  return Array.from({ length: Number(process.env.COUNT) }, (_, index) => ({
    id: randomUUID(),
    url: urls[index % urls.length],
    body,
  }));
}

/** Posts one, signed as Standard Webhooks has it, and writes the attempt down. */
export async function deliver({ id, url, body }) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
  await pool.query({
    name: 'attempt',
    text: 'insert into attempt (delivery_id, status) values ($1, $2)',
    values: [id, answer.statusCode],
  });
}

/** Says that it runs, as a server says where it listens. */
export function ready() {
  process.stdout.write('{"msg":"listening","url":null}\n');
}
