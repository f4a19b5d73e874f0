import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import {
  createApiKey,
  dismissHeldOutput,
  ensureDefaultAccount,
  insertRequests,
  rotateWebhookSecret,
} from '../src/index.ts';
import { anEntry } from './ground/an-entry.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { anAccount, claimFor, finish, hold, PAYER_ID, submit } from './ground/stages.ts';

const { store, sql } = await openTestStores();

/** Every value of every row of every table, as stored bytes and as text. */
async function everythingStored(): Promise<Buffer[]> {
  const tables = await sql<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const rows = await Promise.all(tables.map(({ name }) => sql(`select * from ${name}`)));
  return rows
    .flat()
    .flatMap((row) =>
      Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? ''),
      ),
    );
}

/** A text's possible forms in a column: plain, and in the usual encodings. */
const formsOf = (text: string) => [
  text,
  text.toLowerCase(),
  text.toUpperCase(),
  encodeURIComponent(text),
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
];

// Without it a copy of the database, a backup or a replica would contain patients' data in plain text.
test('nothing of a patient is readable in any column, the payer is', async () => {
  const secrets = {
    name: 'Zebulon Quackenbush',
    subscriberId: 'SUBSCRIBER-7781',
    dob: '1931-12-24',
    address: '4711 Recognisable Road',
    npi: '9876543210',
    tin: '12-9988776',
    providerName: 'Provider Practice 55',
    cpt: 'CPT-D0120-X',
    userinfo: 'hookuser:hookpassword',
    host: 'receiver-of-clinic.example',
    path: '/hooks/of/this/clinic',
    idempotencyKey: 'order-of-zebulon-1',
    notes: 'copay is twenty dollars',
    person: 'person-uuid-31337',
    plan: 'Platinum Plus Family',
    progress: 'waiting in the phone queue',
    errorReason: 'the payer said so itself',
    serviceDate: '2031-07-19',
    foreignId: 'their-own-id-90210',
    operatorNote: 'operator thinks it is wrong',
    snippet: 'receiver answered with this',
    webhookSecret: 'whsec_cmVjb2duaXNhYmxlLXNlY3JldC0x',
    rotatedSecret: 'whsec_cmVjb2duaXNhYmxlLXNlY3JldC0y',
    bootstrapKey: 'recognisable-bootstrap-key',
  };
  const caller = await anAccount(store, { kind: 'platform', webhookSecret: secrets.webhookSecret });
  const input = {
    patient_info: {
      subscriber_id: secrets.subscriberId,
      dob: secrets.dob,
      name: secrets.name,
      address: secrets.address,
    },
    payer_info: { name: 'Readable Payer Plan' },
    provider_info: { npi: secrets.npi, name: secrets.providerName, tin: secrets.tin },
    cpt_code_coverage: [secrets.cpt],
    callback_url: `https://${secrets.userinfo}@${secrets.host}${secrets.path}`,
  };
  const inserted = await insertRequests(store, [
    {
      caller,
      payerId: PAYER_ID,
      input,
      idempotencyKey: secrets.idempotencyKey,
      serviceDate: secrets.serviceDate,
    },
    { caller, payerId: PAYER_ID, input, idempotencyKey: null },
  ]);
  const [request, failing] = inserted.flatMap((answer) =>
    answer.kind === 'created' ? [answer.request] : [],
  );
  if (!request || !failing) throw new Error('not created');
  const entry = anEntry({
    person_uuid: secrets.person,
    notes: secrets.notes,
    patient_info: input.patient_info,
    plan_info: { plan_name: secrets.plan },
  });
  await submit(
    store,
    anOutput(request, { state: 'pending', insurance_data: [{ ...entry, notes: secrets.progress }] }),
  );
  await submit(store, anOutput(request, { insurance_data: [entry] }));
  await submit(
    store,
    anOutput(failing, { state: 'error_verifying', error_reason: secrets.errorReason, insurance_data: [] }),
  );
  const heldId = await hold(
    store,
    anOutput(request, { request_id: secrets.foreignId, insurance_data: [entry] }),
  );
  await dismissHeldOutput(store, { caller, heldId, note: secrets.operatorNote });
  await hold(store, anOutput(request, { insurance_data: [entry, entry] }));
  await finish(store, await claimFor(store, request.request_id ?? ''), {
    outcome: 'http_error',
    statusCode: 500,
    responseSnippet: Buffer.from(secrets.snippet),
    next: { kind: 'retry', delaySeconds: 5 },
  });
  const made = await createApiKey(store, {
    caller,
    accountId: caller.accountId,
    scopes: ['requests'],
    name: null,
    expiresAt: null,
  });
  if (made.kind !== 'created') throw new Error(made.kind);
  await rotateWebhookSecret(store, { caller, next: secrets.rotatedSecret });
  await ensureDefaultAccount(store, {
    apiKey: secrets.bootstrapKey,
    webhookSecret: undefined,
    createWebhookSecret: () => 'whsec_eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4',
    createKey: null,
  });

  const stored = await everythingStored();
  const isReadable = (text: string) =>
    formsOf(text).some((form) => stored.some((value) => value.includes(form)));
  expect(Object.entries(secrets).filter(([, text]) => isReadable(text))).toEqual([]);
  expect(isReadable(made.key.key.slice(13))).toBe(false);
  // Proves that the search works.
  expect(isReadable('Readable Payer Plan')).toBe(true);
  expect(isReadable(request.request_id ?? '')).toBe(true);
});
