import type { ValidationError } from '@insurance-verification/schema';
import { type Operation, type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { PROMISED } from '../promised.ts';
import { OWN_PAGE } from '../staff/a-session.ts';
import { inputOf, operationNames, transports } from '../transports.ts';

const service = useService({ env: { ROLES: 'http' } });

/** The specification's two bodies ignore what they do not know. */
const OPEN: readonly OperationName[] = ['requests.create', 'verificationOutput.submit'];

/** Our own: every operation that can answer a 422, and that a key may call. */
const closed = operationNames.filter(
  (name) => PROMISED[name].also.includes(422) && !PROMISED[name].forPeople && !OPEN.includes(name),
);

const extra = (...loc: (string | number)[]): ValidationError => ({
  loc,
  msg: 'Extra inputs are not permitted',
  type: 'extra_forbidden',
});

describe.each(transports)('over $name', (transport) => {
  const faultsOf = async (
    ...call: Parameters<typeof transport.call> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const { status, json } = await transport.call(service, ...call);
    return { status, json };
  };

  // Broke: a misspelled filter of a redelivery matched everything, and sent it all again.
  test.each(closed)('%s refuses a member that it does not know, at its name', async (operation) => {
    const { method, takesRows }: Operation = OPERATIONS[operation];
    const place = method === 'GET' || takesRows ? 'query' : 'body';
    const { status, json } = await faultsOf(operation, { ...inputOf(operation), hosst: 'SECRET' });
    expect([status, JSON.stringify(json)]).toEqual([
      422,
      expect.stringContaining(JSON.stringify(extra(place, 'hosst'))),
    ]);
    expect(JSON.stringify(json)).not.toContain('SECRET');
  });

  test('a member of a model of ours within another is refused, one of the specification’s is not', async () => {
    const entry = {
      ...anOutput({ request_id: null, input: aRequest(), received_timestamp: '', state: 'pending' })
        .insurance_data[0],
      member: 1,
    };
    const input = {
      request_id: 'x',
      lease_token: 'x',
      insurance_data: [entry],
      benefits: [{ entry: 0, benefits: [{ kind: 'copayment', ammount: '25.00' }] }],
    };
    expect(await faultsOf('work.submit', input)).toEqual({
      status: 422,
      json: transport.invalid(extra('body', 'benefits', 0, 'benefits', 0, 'ammount')),
    });
  });

  test('of many unknown members twenty are named, of a body of any size, and each shortened', async () => {
    for (const count of [21, 50_000]) {
      const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
      expect(await faultsOf('requests.search', many)).toEqual({
        status: 422,
        json: transport.invalid(...Array.from({ length: 20 }, (_, index) => extra('body', `m${index}`))),
      });
    }
    expect(await faultsOf('requests.search', { ['x'.repeat(100_000)]: 1 })).toEqual({
      status: 422,
      json: transport.invalid(extra('body', `${'x'.repeat(64)}...`)),
    });
  });

  test('the two bodies of the specification ignore what they do not know', async () => {
    const request = await transport.call(service, 'requests.create', { ...aRequest(), mine: 1 });
    expect(request.status).toBe(200);
    const output = anOutput(transport.output(request));
    expect((await transport.call(service, 'verificationOutput.submit', { ...output, mine: 1 })).status).toBe(
      200,
    );
  });
});

describe('over REST', () => {
  const faultsOf = async (...asked: Parameters<typeof service.ask>) => {
    const { status, json } = await service.ask(...asked);
    return [status, json];
  };
  const refused = (...detail: ValidationError[]) => [422, { detail }];

  test('a body where none is due, and one that names what the path has', async () => {
    expect(await faultsOf('POST', '/requests/x/redeliver', { body: { since: 1 } })).toEqual(
      refused(extra('body', 'since')),
    );
    expect(
      await faultsOf('POST', '/requests/x/close', { body: { request_id: 'y', reason: 'expired' } }),
    ).toEqual(refused(extra('body', 'request_id')));
    for (const body of [undefined, '', '{}', 'null'])
      expect((await service.ask('POST', '/requests/x/redeliver', { body })).status).toBe(404);
  });

  test('the bodies of the console’s sign-in', async () => {
    for (const [path, body] of [
      ['/console/api/sign-in/link', { token: 'x' }],
      ['/console/api/sign-in', { token: 'x' }],
    ] as const)
      expect(
        await faultsOf('POST', path, {
          body: { ...body, tokenn: 'SECRET' },
          headers: OWN_PAGE,
        }),
      ).toEqual(refused(extra('body', 'tokenn')));
  });

  test('a query where a body is due, and one that names what the path has', async () => {
    expect(
      await faultsOf('POST', `${OPERATIONS['deliveries.redeliverMatching'].path}?host=a.example&host=b`, {
        body: { since: '2026-11-20T00:00:00Z', dry_run: true },
      }),
    ).toEqual(refused(extra('query', 'host')));
    expect(await faultsOf('GET', '/requests/x?request_id=y')).toEqual(refused(extra('query', 'request_id')));
    expect((await service.ask('POST', '/requests/?utm=1', { body: aRequest() })).status).toBe(200);
  });
});

// Broke: of a batch only the first calls' unknown members were seen.
test('each call of a batch refuses its own', async () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, 1]));
  const { json } = await service.ask('POST', '/trpc/requests.search,requests.search?batch=1', {
    body: { 0: many, 1: { nppi: '1234567893' } },
  });
  expect(JSON.stringify((json as unknown[])[1])).toContain(JSON.stringify(extra('body', 'nppi')));
});
