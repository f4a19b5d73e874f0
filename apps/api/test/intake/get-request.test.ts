import { NOTHING_HERE, problemOf, Scope } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

const service = useService();

const ABOUT_A_REQUEST: [OperationName, Record<string, unknown>][] = [
  ['requests.get', {}],
  ['requests.result', {}],
  ['requests.deliveries', {}],
  ['requests.redeliver', {}],
  ['requests.close', { reason: 'withdrawn' }],
];

const UNKNOWN = 'req_01jdabcdefghjkmnpqrstvwxyz';
const MALFORMED = [
  'req_x',
  'REQ_01JDABCDEFGHJKMNPQRSTVWXYZ',
  'held_01jdabcdefghjkmnpqrstvwxyz',
  '..',
  'a\0b',
  '\ud83d\ude00',
  'x'.repeat(2000),
];

describe.each(transports)('over $name', (transport) => {
  // Any difference would tell a stranger which ids exist in other accounts.
  test.each(ABOUT_A_REQUEST)(
    '%s: another account’s, unknown and malformed ids get the same bytes',
    async (operation, rest) => {
      const own = await aKey(service);
      const foreign = (await aStoredRequest(service, {}, await aKey(service))).request_id;
      // A path drops `..`: what is left is another operation's address, or nobody's.
      const malformed = MALFORMED.filter((id) => id !== '..' || transport.name !== 'REST');
      const answers = await Promise.all(
        [UNKNOWN, foreign, ...malformed].map((request_id) =>
          transport.call(service, operation, { request_id, ...rest }, { key: own }),
        ),
      );
      const [first, foreigners] = answers;
      expect(foreigners?.headers['ratelimit-policy']).toBe(first?.headers['ratelimit-policy']);
      expect(first?.status).toBe(404);
      expect(first?.json).toEqual(transport.problem('not_found'));
      for (const { status, text, headers } of answers) {
        expect([status, text]).toEqual([404, first?.text]);
        // The remaining budget counts calls, whatever they ask for.
        const without = { date: null, 'request-id': null, ratelimit: null };
        expect({ ...headers, ...without }).toEqual({ ...first?.headers, ...without });
      }
    },
  );

  // The scope `requests` covers the key's own account only, even on a platform key with every other scope.
  test('a key with every scope but operate does not read another account’s request', async () => {
    const { request_id } = await aStoredRequest(service, {}, await aKey(service));
    const key = await aKey(
      service,
      Scope.options.filter((scope) => scope !== 'operate'),
    );
    const answer = await transport.call(service, 'requests.get', { request_id }, { key });
    expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
  });
});

// Broke: of an id it said that there is nothing at the address, so its caller looked for the fault in the path.
test('an id that does not exist and an address that does not are distinguished', async () => {
  const nowhere = await service.ask('GET', '/nowhere');
  const unknown = await service.ask('GET', `/requests/${UNKNOWN}`);
  expect(nowhere.json).toEqual(problemOf('not_found', { detail: NOTHING_HERE }));
  expect(unknown.json).toMatchObject({
    code: 'not_found',
    detail: 'No object with this id exists in this account.',
  });
});
