import type { RequestList, RequestModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { readPayers } from '../../src/config/payers.ts';
import { aPayersFile } from '../a-payers-file.ts';
import { aService } from '../a-service.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';

const PAYERS = ['North', 'East', 'South', 'West'].map((name) => ({ id: name.toLowerCase(), name }));

test('the configured payers are the four that are accepted', async () => {
  const service = await aService({ env: { PAYERS: '["A","B","C","D"]' } });
  expect(
    (await service.ask('POST', '/requests/', { body: aRequest({ payer_info: { name: 'D' } }) })).status,
  ).toBe(200);
  const { json } = await service.ask('POST', '/requests/', { body: aRequest() });
  expect(json).toEqual({
    detail: [
      { loc: ['body', 'payer_info', 'name'], msg: "Input should be 'A', 'B', 'C' or 'D'", type: 'enum' },
    ],
  });
});

// A payer changes its name; requests under the old name still wait for their results.
test('a renamed payer’s old requests read under the old name and take outputs under the new one', async () => {
  const receiver = await aReceiver();
  const before = await aService({ env: { PAYERS_FILE: aPayersFile(PAYERS) } });
  const body = aRequest({ payer_info: { name: 'North' }, callback_url: receiver.url });
  const request = await before.answer<RequestModel>('POST', '/requests/', body);
  await before.stop();

  const renamed = PAYERS.map((payer) => (payer.id === 'north' ? { ...payer, name: 'Nord' } : payer));
  const after = await aService({
    databaseUrl: before.databaseUrl,
    env: { PAYERS_FILE: aPayersFile(renamed) },
  });
  expect(await after.answer('GET', `/requests/${request.request_id}`)).toEqual(request);
  const output = anOutput({ ...request, input: { ...body, payer_info: { name: 'Nord' } } });
  expect(await after.answer('POST', '/verification-output', output)).toEqual({
    status: 'applied',
    version: 1,
  });
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toMatchObject({ request: { input: body } });
});

// A request that can no longer be verified must still be visible and closable.
test('a dropped payer’s request still reads, lists and can be closed by an operator', async () => {
  const receiver = await aReceiver();
  const before = await aService({ env: { PAYERS: '["A","B","C","D"]' } });
  const body = aRequest({ payer_info: { name: 'D' }, callback_url: receiver.url });
  const request = await before.answer<RequestModel>('POST', '/requests/', body);
  await before.stop();

  const after = await aService({ databaseUrl: before.databaseUrl, env: { PAYERS: '["A","B","C","E"]' } });
  expect(await after.answer('GET', `/requests/${request.request_id}`)).toEqual(request);
  expect((await after.answer<RequestList>('GET', '/requests/')).items).toEqual([request]);
  const closed = await after.answer('POST', `/requests/${request.request_id}/close`, {
    reason: 'payer_missing',
  });
  expect(closed).toEqual({ ...request, state: 'error_verifying', error_reason: 'payer_missing' });
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toEqual({ request: closed, insurance_data: [] });
  expect(await after.answer('GET', `/requests/${request.request_id}/result`)).toEqual({
    request: closed,
    insurance_data: [],
  });
});

test('a card’s words, id and phone find its payer over both transports, and nothing is guessed', async () => {
  const [north, ...others] = PAYERS;
  const file = [
    { ...north, aliases: ['Compass One'], x12_payer_id: '60054', phone_number: '+1 212 555 0100' },
    ...others,
  ];
  const service = await aService({ env: { PAYERS_FILE: aPayersFile(file) } });
  const answers = { payer_id: 'north', name: 'North' };
  for (const transport of transports) {
    const resolve = async (card: Record<string, unknown>) => transport.call(service, 'payers.resolve', card);
    const byAll = await resolve({ text: 'compass one', payer_id: '60054', phone: '(212) 555-0100' });
    expect(transport.output(byAll)).toEqual({
      items: [{ ...answers, why: ['payer_id', 'phone', 'alias', 'words'], words: ['COMPASS', 'ONE'] }],
    });
    expect(transport.output(await resolve({ text: 'Delta Dental' }))).toEqual({ items: [] });
    expect(transport.output(await resolve({}))).toEqual({ items: [] });
  }
});

// Without it the file that people copy would prevent the start.
test('the example of a payers file is one', () => {
  const payers = readPayers({ PAYERS_FILE: new URL('../../payers.example.json', import.meta.url).pathname });
  const routes = payers.all.map(({ route }) => route.channels.map(({ source }) => source).join(' '));
  expect(routes).toEqual([
    'api agent_web_portal agent_phone_call manual_phone_call',
    'agent_web_portal manual_web_portal manual_phone_call',
    'manual_phone_call',
    'api agent_web_portal agent_phone_call manual_web_portal manual_phone_call',
  ]);
  expect(payers.all.map(({ route }) => route.skipsUnattended)).toEqual([false, false, false, true]);
  expect(payers.routes[1]?.channels[0]).toEqual({
    source: 'agent_web_portal',
    attemptCountMax: 2,
    secondsMax: 1800,
  });
});
