import { Agent, request } from 'undici';

// The floor of delivery: undici posting a body of a webhook's size to the same receivers, as many at once as the
// service has in flight, with no database, no signature and no guard.
const urls = process.env['URLS']?.split(' ') ?? [];
const count = Number(process.env['COUNT']);
const concurrency = Number(process.env['CONCURRENCY']);
const body = Buffer.alloc(Number(process.env['BODY_BYTES']), 'x');
const dispatcher = new Agent({ connections: 16, pipelining: 1 });

process.stdout.write('{"msg":"listening","url":null}\n'); // as a worker says that it is there
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
