import { Agent, request } from 'undici';

// The floor of delivery: undici posts bodies of a webhook's size to the same receivers, with the service's in-flight
// limit, and without a database, a signature or an address guard.
const urls = process.env['URLS']?.split(' ') ?? [];
const count = Number(process.env['COUNT']);
const concurrency = Number(process.env['CONCURRENCY']);
const body = Buffer.alloc(Number(process.env['BODY_BYTES']), 'x');
const dispatcher = new Agent({ connections: 16, pipelining: 1 });

process.stdout.write('{"msg":"listening","url":null}\n'); // the line by which a worker announces itself
let next = 0;
const post = async () => {
  while (next < count) {
    const url = urls[next++ % urls.length] ?? '';
    const headers = { 'content-type': 'application/json' };
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
  }
};
await Promise.all(Array.from({ length: concurrency }, post));
await dispatcher.close();
