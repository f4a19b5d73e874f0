import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

// The floor: the limit of this machine, this Postgres and node:http without any validation, parsing or encryption. One
// prepared INSERT per request, answered after its commit.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
await pool.query(
  'create table if not exists floor (id uuid primary key, body text not null, at timestamptz not null default now())',
);

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const id = randomUUID();
    pool
      .query({
        name: 'insert',
        text: 'insert into floor (id, body) values ($1, $2)',
        values: [id, Buffer.concat(chunks).toString()],
      })
      .then(
        () => res.setHeader('content-type', 'application/json').end(`{"id":"${id}"}`),
        () => res.writeHead(500).end(),
      );
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The floor server has no port.');
  const url = `http://127.0.0.1:${address.port}`;
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
