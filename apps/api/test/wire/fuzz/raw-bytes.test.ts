import { aRequest } from '@insurance-verification/testing/a-request';
import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { editedBytes } from '@insurance-verification/testing/wire/edited-bytes';
import { expectHarmless } from '@insurance-verification/testing/wire/expect-harmless';
import { head } from '@insurance-verification/testing/wire/head';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BOOTSTRAP_KEY } from '../../a-service.ts';
import { aProcess, anEnvironment } from '../../process/a-process.ts';
import { send } from '../../send.ts';

const CASES = Number(process.env['FUZZ_CASES'] ?? 600);

const body = JSON.stringify(aRequest());
const lines = [`x-key: ${BOOTSTRAP_KEY}`, 'content-type: application/json', `content-length: ${body.length}`];
const valid = [
  head('POST /requests/', lines) + body,
  head('POST /trpc/requests.create', lines) + body,
  head('POST /verification-output', lines) + body,
  head('POST /requests/', [`x-key: ${BOOTSTRAP_KEY}`, 'transfer-encoding: chunked']) +
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  head('GET /requests/?limit=1', [`x-key: ${BOOTSTRAP_KEY}`]),
  head('GET /trpc/requests.list?input=%7B%7D', [`x-key: ${BOOTSTRAP_KEY}`]),
  head('GET /livez'),
  head('GET //'),
  head('CONNECT a:1'),
].map((text) => Buffer.from(text));

// No request, whatever its bytes and however its client disconnects, ends the process, gets a 5xx, or reveals where in
// the code it failed. The service is its own process: the runner's handlers would keep an in-process one alive.
test(
  `${CASES} requests with some bytes changed leave the process as it was`,
  { timeout: 60_000 + CASES * 50 },
  async () => {
    const env = { ...(await anEnvironment()), BOOTSTRAP_API_KEY: BOOTSTRAP_KEY, ROLES: 'http' };
    const service = aProcess(SERVICE_COMMAND, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await service.url();
    const greeting = await until(
      'it has greeted',
      () => service.output().endsWith(`/verified"}'\n\n`) && service.output(),
    );
    await fc.assert(
      fc.asyncProperty(editedBytes(valid), fc.boolean(), async (bytes, isCut) => {
        await expectHarmless(url, bytes, isCut);
        expect(service.child.exitCode).toBeNull();
      }),
      { numRuns: CASES },
    );
    expect((await send('GET', `${url}/livez`)).status).toBe(200);
    expect(service.output()).toBe(greeting);
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe('exit 0');
  },
);
