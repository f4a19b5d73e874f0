import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { aProcess, anEnvironment } from '../process/a-process.ts';
import { send } from '../send.ts';

// Node removes its own error listener from the socket of a CONNECT. Broke: a client reset during its refusal ended the
// process. Tested in its own process, since the runner's handlers would hide it.
test('a client that asks for a tunnel and is gone ends nothing', { timeout: 60_000 }, async () => {
  const service = aProcess(SERVICE_COMMAND, {
    env: await anEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await service.url();
  for (let round = 0; round < 50; round += 1) {
    for (const bytes of [
      head('CONNECT service:443'),
      'hello\r\n\r\n',
      head('GET http://'),
      head('GET /livez', [], ''),
    ]) {
      const connection = aConnection(url);
      connection.write(bytes);
      connection.write('x'.repeat(1_000));
      if (round % 2 === 0) await connection.heard('HTTP/1.1 4');
      else await connection.opened();
      connection.cut();
    }
  }
  expect((await send('GET', `${url}/livez`)).status).toBe(200);
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe('exit 0');
});
