import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createWebhookSender, shortageOf } from '../src/index.ts';

const fixture = fileURLToPath(new URL('descriptors.fixture.ts', import.meta.url));

/** What the fixture prints, in a process that may open 64 descriptors. */
async function withFewDescriptors(...args: readonly string[]): Promise<unknown> {
  const node = `'${process.execPath}' --conditions=@insurance-verification/source '${fixture}' ${args.join(' ')}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', `ulimit -n 64; exec ${node}`]);
  return JSON.parse(stdout);
}

const SHORTAGE = 'HostShortageError EMFILE';

// Broke: the first attempt loaded undici, and its failure was kept, so that the process never delivered again.
test('a sender whose first attempt had no descriptor sends once there are some', async () => {
  expect(await withFewDescriptors()).toEqual({ without: [SHORTAGE, SHORTAGE, SHORTAGE], after: 'succeeded' });
});

// Broke: the receiver was charged an attempt, as `connection_failed` or, where its name was asked for, `dns_failed`.
test('an attempt without a descriptor is no attempt', async () => {
  expect(await withFewDescriptors('opened')).toEqual({
    without: [SHORTAGE, SHORTAGE, SHORTAGE],
    after: 'succeeded',
  });
});

// Broke: a service that was stopped a second time failed, since its sender is opened at its start.
test('a sender that is opened and closed may be closed again', async () => {
  const sender = createWebhookSender({ allowCidrs: [], httpsOnly: true });
  await sender.open();
  await sender.close();
  await expect(sender.close()).resolves.toBeUndefined();
});

const failure = (code: string, address?: string) => Object.assign(new Error(code), { code, address });

test('an error deep inside another is found, and a refused connection is not taken for one', () => {
  expect(shortageOf(new Error('outer', { cause: failure('ENOBUFS') }))).toBe('ENOBUFS');
  expect(shortageOf(failure('ECONNREFUSED'))).toBe(null);
  expect(shortageOf(new AggregateError([failure('ECONNREFUSED'), failure('ENFILE')]))).toBe('ENFILE');
  expect(shortageOf('EMFILE')).toBe(null);
});

// Without it a receiver with an IPv6 address would hold up the whole process, on a machine without IPv6.
test('an address that this machine has no family for is the receiver’s fault, a lack of ports is not', () => {
  expect(shortageOf(failure('EADDRNOTAVAIL', '127.0.0.1'))).toBe('EADDRNOTAVAIL');
  const both = [failure('ECONNREFUSED', '127.0.0.1'), failure('EADDRNOTAVAIL', '127.0.0.1')];
  expect(shortageOf(new AggregateError(both))).toBe(null);
});
