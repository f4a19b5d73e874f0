import { randomBytes } from 'node:crypto';
import type { OutputReceipt, RequestModel, WebhookSecret } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { freePort } from '@insurance-verification/testing/free-port';
import { expect, test } from 'vitest';
import { aDatabaseGate } from './a-database-gate.ts';
import { aKey } from './a-key.ts';
import { aService, BOOTSTRAP_KEY, WEBHOOK_SECRET } from './a-service.ts';
import { deliveryOnce } from './delivery/deliveries.ts';
import { rows } from './rows.ts';
import { transports } from './transports.ts';

/** The canary's texts: each is unique, and none occurs by chance. */
const tokens: string[] = [];
function token(name: string): string {
  const text = `${name}-${randomBytes(6).toString('hex')}`;
  tokens.push(text);
  return text;
}

function aPatientsRequest(callback_url: string) {
  return aRequest({
    patient_info: {
      subscriber_id: token('member'),
      dob: token('dob'),
      name: token('name'),
      address: token('address'),
    },
    provider_info: {
      npi: token('npi'),
      name: token('doctor'),
      tin: token('tin'),
      organization_name: token('clinic'),
    },
    payer_info: { name: 'Payer Plan 1', phone_number: token('phone') },
    cpt_code_coverage: [token('code')],
    callback_url,
  });
}

/** Everything that happens in a day, good and bad, over REST and tRPC. */
test('no patient’s data, address or key is in any log line, metric, error body or clear column', async () => {
  const gate = await aDatabaseGate();
  const service = await aService({
    databaseUrl: gate.databaseUrl,
    env: { LOG_LEVEL: 'trace', WEBHOOK_RETRY_SCHEDULE: '0s,1s' },
  });
  const receiver = await aReceiver({ status: 200, text: token('response') });
  const errorBodies: string[] = [];
  const refused = async (asking: ReturnType<typeof service.ask>) => {
    const answer = await asking;
    expect(answer.status).toBeGreaterThanOrEqual(400);
    errorBodies.push(answer.text);
    return answer;
  };
  const key = await aKey(service, ['requests', 'secrets']);
  const secret = await service.answer<WebhookSecret>('GET', '/webhook-secret', undefined, key);
  tokens.push(key, key.slice(14), BOOTSTRAP_KEY, WEBHOOK_SECRET, secret.current);

  // Deliveries that succeed and that fail.
  const traced: string[] = [];
  for (const url of [
    `${receiver.url}/${token('path')}?q=${token('query')}`,
    receiver.url.replace('//', `//${token('user')}:${token('password')}@`),
    `http://127.0.0.1:${await freePort()}/${token('dead')}`,
    `http://${token('host')}.invalid/`,
    `http://10.1.2.3/${token('blocked')}`,
  ]) {
    const headers = { 'idempotency-key': token('idempotency') };
    const created = await service.ask('POST', '/requests/', { body: aPatientsRequest(url), headers, key });
    const request = created.json as RequestModel & { request_id: string };
    const coverage = aCoverage(request, {
      notes: token('note'),
      uuid: token('uuid'),
      person_uuid: token('person'),
      patient_info: {
        ...request.input.patient_info,
        name: `${request.input.patient_info.name} ${token('named')}`,
      },
      plan_info: { plan_name: token('plan') },
    });
    const output = anOutput(request, { insurance_data: [coverage], state: 'complete' });
    await service.answer('POST', '/verification-output', output);
    await deliveryOnce(
      service,
      request.request_id,
      url.startsWith(receiver.url.slice(0, -9)) || url.includes('@') ? 'delivered' : 'exhausted',
      key,
    );
    const superseding = anOutput(request, {
      state: 'error_verifying',
      error_reason: token('reason'),
      insurance_data: [],
    });
    const { held_id } = await service.answer<OutputReceipt>('POST', '/verification-output', superseding);
    await service.answer('POST', `/held-outputs/${held_id}/apply`);
  }
  const foreign = anOutput(
    await service.answer<RequestModel>('POST', '/requests/', aPatientsRequest(receiver.url)),
    { request_id: token('foreign') },
  );
  const { held_id } = await service.answer<OutputReceipt>('POST', '/verification-output', foreign);
  await service.answer('POST', `/held-outputs/${held_id}/dismiss`, { note: token('dismissal') });

  // Bad requests.
  for (const transport of transports) {
    await refused(
      transport.call(service, 'requests.create', {
        ...aPatientsRequest(token('url')),
        payer_info: { name: token('payer') },
      }),
    );
    await refused(transport.call(service, 'requests.get', { request_id: token('id') }));
    await refused(transport.call(service, 'requests.list', { cursor: token('cursor') }));
    await refused(transport.call(service, 'requests.list', { state: token('state') }));
    await refused(transport.call(service, 'requests.list', {}, { key: token('wrong-key-0123456789') }));
    await refused(
      transport.call(
        service,
        'requests.create',
        { ...aPatientsRequest(receiver.url) },
        { headers: { 'idempotency-key': `\t${token('tab')}\t${'x'.repeat(256)}` } },
      ),
    );
  }
  for (const path of ['/requests/', '/trpc/requests.create', '/verification-output']) {
    await refused(service.ask('POST', path, { body: `{"patient_info": ${token('broken')}` }));
    await refused(
      service.ask('POST', path, {
        body: token('text'),
        headers: { 'content-type': `text/${token('type')}` },
      }),
    );
  }
  await refused(service.ask('GET', `/${token('nowhere')}?${token('search')}`));
  await refused(service.ask('GET', `/trpc/${token('procedure')}?input=${token('input')}`));

  const clear = await clearText(gate.directUrl);
  const metrics = (await service.ask('GET', '/metrics')).text;

  // And an outage of the database in the middle of it.
  await gate.shut();
  for (const transport of transports) {
    const answer = await refused(
      transport.call(service, 'requests.create', { ...aPatientsRequest(receiver.url) }),
    );
    expect(answer.status).toBe(503);
    traced.push(/"request_trace":"([^"]+)"/.exec(answer.text)?.[1] ?? expect.fail());
  }
  const log = service.logLines.join('');
  for (const trace of traced) expect(service.logLines.filter((line) => line.includes(trace))).toHaveLength(1);
  expect(tokens.length).toBeGreaterThan(100);
  const places = { log, metrics, 'error bodies': errorBodies.join('\n'), 'the database': clear };
  for (const [place, text] of Object.entries(places)) {
    for (const secretText of tokens) expect(text, `${secretText} in ${place}`).not.toContain(secretText);
  }
  expect(service.logLines.length).toBeGreaterThan(50);
  for (const line of service.logLines) expect(() => JSON.parse(line)).not.toThrow();
});

/** Every column of every table as text, encrypted ones included: ciphertext shows nothing. */
async function clearText(databaseUrl: string): Promise<string> {
  const tables = await rows<{ name: string }>(
    databaseUrl,
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const found = await rows<{ text: string; bytes: Buffer }>(
      databaseUrl,
      `select t::text as text from "${name}" t`,
    );
    // bytea shows as hex: read it as latin1 too, or a value stored in clear would go unnoticed.
    for (const { text } of found)
      texts.push(
        text,
        text.replaceAll(/\\x([0-9a-f]+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1')),
      );
  }
  return texts.join('\n');
}
