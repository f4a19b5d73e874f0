import {
  type Account,
  type ApiKey,
  type DeliveryList,
  type HeldOutputList,
} from '@insurance-verification/schema';
import {
  type Operation,
  type OperationFact,
  type OperationName,
  OPERATIONS,
} from '@insurance-verification/schema/contract';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { useService } from '../../a-service.ts';
import { aStoredRequest } from '../../a-stored-request.ts';
import { aPerson, aSession, BEHIND_A_PROXY } from '../../staff/a-session.ts';
import { consoleTransport, type Transport, transports } from '../../transports.ts';
import type { Document } from './document.ts';
import { edgesOf } from './edges-of.ts';

const service = useService({ env: { ...BEHIND_A_PROXY, ROLES: 'http', LOG_LEVEL: 'warn' } });

const facts: Readonly<Record<string, OperationFact>> = OPERATIONS;

/** Ids of what is stored, by the names that paths have for them; whatever happens to them, nobody else needs them. */
async function storedIds(): Promise<Record<string, unknown>> {
  const request = await aStoredRequest(service);
  await service.answer('POST', '/verification-output', anOutput(request));
  const stranger = await aStoredRequest(service);
  await service.answer('POST', '/verification-output', anOutput(stranger, { request_id: null }));
  const { items: held } = await service.answer<HeldOutputList>('GET', '/held-outputs');
  const { items: deliveries } = await service.answer<DeliveryList>('GET', '/deliveries');
  const { account_id } = await service.answer<Account>('POST', '/accounts', { name: 'Main Street Dental' });
  const { key_id } = await service.answer<ApiKey>('POST', '/keys', { account_id, scopes: ['requests'] });
  const { staff_id } = await aPerson(service, {});
  const [{ held_id } = { held_id: '' }] = held;
  const [{ delivery_id } = { delivery_id: '' }] = deliveries;
  return { request_id: request.request_id, held_id, delivery_id, account_id, key_id, staff_id };
}

/** What is wrong with how each input is answered. */
async function faultsOf(transport: Transport, name: OperationName, { inputs, statuses, options }: Asked) {
  const { output } = OPERATIONS[name] as Operation;
  const faults: string[] = [];
  for (const input of inputs) {
    const answer = await transport.call(service, name, input, options);
    const { status } = answer;
    const isDocumented = status < 500 && statuses.has(String(status));
    const isWhole = status !== 200 || output.safeParse(transport.output(answer)).success;
    if (!isDocumented || !isWhole) faults.push(`${name} answers ${status} to ${JSON.stringify(input)}`);
  }
  return faults;
}

interface Asked {
  readonly inputs: readonly Record<string, unknown>[];
  readonly statuses: ReadonlySet<string>;
  readonly options: Parameters<Transport['call']>[3];
}

// Broke: a year before 1000 in a filter of the audit, and NUL as a key of the console, were answered with a 500.
test('a time, a text or a number at its edge gets a documented answer from every operation', async () => {
  const document = await service.answer<Document>('GET', '/openapi.json');
  const ids = await storedIds();
  const { asked } = await aSession(service, { roles: ['requester'] });
  const [, trpc = consoleTransport] = transports;
  const faults: string[] = [];
  let inputCount = 0;
  for (const { operationId, parameters = [], requestBody, responses } of Object.values(
    document.paths,
  ).flatMap((methods) => Object.values(methods))) {
    const name = operationId as OperationName;
    const named = parameters.filter((parameter) => parameter.in !== 'header');
    const properties = Object.fromEntries(named.map((parameter) => [parameter.name, parameter.schema]));
    const needed = Object.fromEntries(
      named
        .filter(({ required }) => required)
        .map((parameter) => [parameter.name, ids[parameter.name] ?? parameter.example]),
    );
    const {
      schema = {},
      examples = {},
      example = examples['member']?.value,
    } = requestBody?.content['application/json'] ?? {};
    const bodies = [...edgesOf(document, schema, example)] as object[];
    const inputs = [
      ...(edgesOf(document, { type: 'object', properties }, needed) as Iterable<Record<string, unknown>>),
      ...bodies.map((body): Record<string, unknown> => ({ ...needed, ...body })),
    ];
    inputCount += inputs.length;
    const isForPeople = facts[name]?.forPeople === true;
    faults.push(
      ...(await faultsOf(isForPeople ? consoleTransport : trpc, name, {
        inputs: inputs.map((input) => ('wait_seconds' in input ? { ...input, wait_seconds: 0 } : input)),
        statuses: new Set(Object.keys(responses)),
        options: isForPeople ? asked : {},
      })),
    );
  }
  expect(faults).toEqual([]);
  expect(inputCount).toBeGreaterThan(1_000); // of less, the document was not read
  expect(service.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});
