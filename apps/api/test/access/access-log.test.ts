import { type CreatedApiKey, type OutputReceipt, Scope } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { type Transport, transports } from '../transports.ts';
import { linesIn } from './access-lines.ts';

const service = useService();

const linesOf = linesIn(() => service);

/** The key of a new platform account with every scope. */
async function aCaller() {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  const { key, key_id } = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id,
    scopes: Scope.options,
  });
  return { key, who: { key_id, account_id } };
}

type Caller = Awaited<ReturnType<typeof aCaller>>;
const call = async (
  transport: Transport,
  caller: Caller,
  operation: OperationName,
  input: Record<string, unknown> = {},
) => {
  const answer = await transport.call(service, operation, input, { key: caller.key });
  expect(answer.status).toBe(200);
  return answer;
};

// Years later it must be possible to say who saw a patient's data: a read without an access-log line is a gap.
describe.each(transports)('over $name every operation leaves its line', (transport) => {
  test('requests', async () => {
    const caller = await aCaller();
    const { who } = caller;
    expect(await linesOf(() => call(transport, caller, 'requests.list'))).toEqual([
      { ...who, operation: 'requests.list', request_id: null },
    ]);
    const [first, second] = [
      await aStoredRequest(service, {}, caller.key),
      await aStoredRequest(service, {}, caller.key),
    ];
    const { request_id } = first;
    const one = (operation: string) => [{ ...who, operation, request_id }];
    const created = await linesOf(() => aStoredRequest(service, {}, caller.key));
    expect(created).toEqual([
      { ...who, operation: 'requests.create', request_id: expect.stringMatching(/^req_/) },
    ]);
    const listed = await linesOf(() => call(transport, caller, 'requests.list', { limit: 100 }));
    expect(listed.map((line) => line.request_id)).toEqual([
      [created[0]?.request_id, second.request_id, request_id],
    ]);
    expect(await linesOf(() => call(transport, caller, 'requests.get', { request_id }))).toEqual(
      one('requests.get'),
    );
    const submitted = await linesOf(() =>
      call(transport, caller, 'verificationOutput.submit', { ...anOutput(first) }),
    );
    expect(submitted).toEqual(one('verificationOutput.submit'));
    expect(await linesOf(() => call(transport, caller, 'requests.result', { request_id }))).toEqual(
      one('requests.result'),
    );
    expect(await linesOf(() => call(transport, caller, 'requests.deliveries', { request_id }))).toEqual(
      one('requests.deliveries'),
    );
    const listedDeliveries = await call(transport, caller, 'deliveries.list', { request_id });
    const [delivery] = transport.output<{ items: { delivery_id: string }[] }>(listedDeliveries).items;
    expect(await linesOf(() => call(transport, caller, 'deliveries.list', { request_id }))).toEqual(
      one('deliveries.list'),
    );
    const named = { delivery_id: delivery?.delivery_id };
    expect(await linesOf(() => call(transport, caller, 'deliveries.get', named))).toEqual(
      one('deliveries.get'),
    );
    expect(await linesOf(() => call(transport, caller, 'requests.redeliver', { request_id }))).toEqual(
      one('requests.redeliver'),
    );
    const counting = { since: '2026-01-01T00:00:00Z', dry_run: true };
    expect(await linesOf(() => call(transport, caller, 'deliveries.redeliverExhausted', counting))).toEqual([
      { ...who, operation: 'deliveries.redeliverExhausted', request_id: null },
    ]);
    expect(await linesOf(() => call(transport, caller, 'deliveries.redeliverMatching', counting))).toEqual([
      { ...who, operation: 'deliveries.redeliverMatching', request_id: null },
    ]);
    const closed = await linesOf(() =>
      call(transport, caller, 'requests.close', { request_id: second.request_id, reason: 'expired' }),
    );
    expect(closed).toEqual([{ ...who, operation: 'requests.close', request_id: second.request_id }]);
  });

  test('a replayed create reads the patient’s data back, so it leaves a line of its own', async () => {
    const caller = await aCaller();
    const create = async () => {
      const { input } = await aStoredRequest(service, {}, caller.key);
      const options = { key: caller.key, headers: { 'idempotency-key': 'again' } };
      return transport.output<{ request_id: string }>(
        await transport.call(service, 'requests.create', { ...input }, options),
      );
    };
    const { request_id } = await create();
    expect(await linesOf(create)).toContainEqual({ ...caller.who, operation: 'requests.create', request_id });
  });

  test('held outputs', async () => {
    const caller = await aCaller();
    const { who } = caller;
    const request = await aStoredRequest(service, {}, caller.key);
    const line = (operation: string, request_id: string | null) => [{ ...who, operation, request_id }];
    const unmatched = { ...anOutput(request, { request_id: `${transport.name} x` }) };
    let held_id = '';
    const submitted = await linesOf(async () => {
      held_id =
        transport.output<OutputReceipt>(await call(transport, caller, 'verificationOutput.submit', unmatched))
          .held_id ?? '';
    });
    expect(submitted).toEqual(line('verificationOutput.submit', null));
    expect(await linesOf(() => call(transport, caller, 'heldOutputs.list'))).toEqual(
      line('heldOutputs.list', null),
    );
    expect(await linesOf(() => call(transport, caller, 'heldOutputs.get', { held_id }))).toEqual(
      line('heldOutputs.get', null),
    );
    const applied = await linesOf(() =>
      call(transport, caller, 'heldOutputs.apply', { held_id, request_id: request.request_id }),
    );
    expect(applied).toEqual(line('heldOutputs.apply', request.request_id));
    const superseding = { ...anOutput(request, { insurance_data: [] }) };
    const other = transport.output<OutputReceipt>(
      await call(transport, caller, 'verificationOutput.submit', superseding),
    ).held_id;
    expect(await linesOf(() => call(transport, caller, 'heldOutputs.get', { held_id: other }))).toEqual(
      line('heldOutputs.get', request.request_id),
    );
    expect(await linesOf(() => call(transport, caller, 'heldOutputs.dismiss', { held_id: other }))).toEqual(
      line('heldOutputs.dismiss', request.request_id),
    );
    await call(transport, caller, 'verificationOutput.submit', superseding);
    const many = { reason: 'superseding' };
    expect(await linesOf(() => call(transport, caller, 'heldOutputs.dismissMany', many))).toEqual(
      line('heldOutputs.dismissMany', request.request_id),
    );
    expect(await linesOf(() => call(transport, caller, 'heldOutputs.dismissMany', many))).toEqual(
      line('heldOutputs.dismissMany', null),
    );
  });

  test('access', async () => {
    const caller = await aCaller();
    const line = (operation: string) => [{ ...caller.who, operation, request_id: null }];
    const { account_id } = caller.who;
    let key_id = '';
    expect(await linesOf(() => call(transport, caller, 'accounts.create', { name: 'x' }))).toEqual(
      line('accounts.create'),
    );
    expect(await linesOf(() => call(transport, caller, 'accounts.list'))).toEqual(line('accounts.list'));
    const { account_id: other } = await anAccount(service);
    for (const operation of ['accounts.suspend', 'accounts.resume'] as const)
      expect(await linesOf(() => call(transport, caller, operation, { account_id: other }))).toEqual(
        line(operation),
      );
    expect(await linesOf(() => call(transport, caller, 'audit.list'))).toEqual(line('audit.list'));
    expect(await linesOf(() => call(transport, caller, 'audit.export'))).toEqual(line('audit.export'));
    expect(await linesOf(() => call(transport, caller, 'audit.seals'))).toEqual(line('audit.seals'));
    expect(await linesOf(() => call(transport, caller, 'audit.verify'))).toEqual(line('audit.verify'));
    const created = await linesOf(async () => {
      const answer = await call(transport, caller, 'keys.create', { account_id, scopes: ['requests'] });
      ({ key_id } = transport.output<CreatedApiKey>(answer));
    });
    expect(created).toEqual(line('keys.create'));
    expect(await linesOf(() => call(transport, caller, 'keys.list'))).toEqual(line('keys.list'));
    expect(await linesOf(() => call(transport, caller, 'keys.revoke', { key_id }))).toEqual(
      line('keys.revoke'),
    );
    expect(await linesOf(() => call(transport, caller, 'webhookSecret.get'))).toEqual(
      line('webhookSecret.get'),
    );
    expect(await linesOf(() => call(transport, caller, 'webhookSecret.rotate'))).toEqual(
      line('webhookSecret.rotate'),
    );
  });
});

test.each(['update access_log set operation = $1', 'delete from access_log where operation <> $1'])(
  'the database itself refuses: %s',
  async (statement) => {
    await expect(rows(service.databaseUrl, statement, ['x'])).rejects.toThrow('access_log is append-only');
  },
);
