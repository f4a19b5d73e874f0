import { keepX12Exchanges, openStore } from '@insurance-verification/store';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aPerson } from './ground/a-person.ts';
import { aReader, type Part } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

// Texts of others hold marks that turn what is read, words that only a program reads, and commands of terminals. A page
// shows them as their escapes; the clipboard gets what was written.

useShared();

/** One of each kind: direction, isolate, zero width, soft hyphen, tag, variation selector, annotation, C0, C1, others. */
const HIDDEN_CHARACTERS =
  '\u202E\u2066\u200B\u00AD\u{E0041}\uFE0F\u{E0100}\uFFF9\u001B\u0085\u061C\u180E\u2064\uFEFF\u3164';

const ESCAPES = Array.from(HIDDEN_CHARACTERS)
  .flatMap((character) => Array.from({ length: character.length }, (_, index) => character.charCodeAt(index)))
  .map((unit) => String.raw`\u${unit.toString(16).padStart(4, '0')}`)
  .join('');

/** A text in which each kind is hidden; its name tells where it was given. */
const hiding = (name: string) => `${name}${HIDDEN_CHARACTERS}.`;

// Text, and what is read aloud or hovered. A field keeps what was typed: its value is no text of the page.
const TEXTS = `[...document.querySelectorAll(':not(textarea, script, style)')].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ...['title', 'aria-label', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
]).join(' ')`;

async function expectShown(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names)
    await expect.poll(() => page.evaluate<string>(TEXTS), { message: name }).toContain(`${name}${ESCAPES}.`);
  const texts = `${await page.evaluate<string>(TEXTS)} ${await page.title()}`;
  expect(texts.match(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu)).toBeNull();
}

/** The same of a page that is rendered without a browser. */
function expectRendered({ markup, text }: Part, names: readonly string[]): void {
  const spoken = Array.from(
    markup.matchAll(/ (?:title|aria-label|alt|placeholder)="([^"]*)"/g),
    ([, said]) => said,
  );
  const texts = [text, ...spoken].join(' ');
  for (const name of names) expect(texts, name).toContain(`${name}${ESCAPES}.`);
  expect(texts.match(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu)).toBeNull();
}

const PATIENT = { subscriber_id: hiding('W1'), name: hiding('Jane'), address: hiding('Main St') };

const PROVIDER = {
  npi: '1234567893',
  tin: hiding('12'),
  name: hiding('Dr. Roe'),
  organization_name: hiding('Clinic'),
};

const isa = (text: string) => `ISA*${'0'.repeat(101)}~${text}~`;

const aHidingRequest = (payer = 'Bluefield Dental PPO') =>
  service.aRequest({
    patient_info: { ...PATIENT, dob: '1984-05-17' },
    payer_info: { name: payer, phone_number: hiding('+1 900') },
    provider_info: PROVIDER,
  });

test('the workbench shows what was asked and tried with nothing hidden, and copies it as it was written', async () => {
  const { request_id: id } = await aHidingRequest();
  const verifier = await aPerson(service, ['verifier'], { name: hiding('Vera'), at: null });
  const { page, context } = verifier;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { lease_token } = await service.client.work.claimRequest({
    request_id: id,
    channels: ['manual_web_portal'],
  });
  await service.client.work.fail({
    request_id: id,
    lease_token,
    error_reason: 'portal_two_factor',
    note: hiding('Tried'),
    reference: hiding('REF'),
  });
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').waitFor();
  await expectShown(page, [
    'W1',
    'Jane',
    'Main St',
    '12',
    'Dr. Roe',
    'Clinic',
    '+1 900',
    'Tried',
    'REF',
    'Vera',
  ]);
  await page.getByRole('button', { name: 'Copy the member id' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(PATIENT.subscriber_id);
  // A quote of what was pasted is shown, and stays in the draft as it was pasted.
  await page.getByLabel('What the payer said').fill(hiding('Said'));
  await page.getByLabel('What the payer said').selectText();
  await page.getByRole('button', { name: 'Tie', exact: true }).click();
  await expectShown(page, ['Said']);
  expect(await page.getByLabel('What the payer said').inputValue()).toBe(hiding('Said'));
});

test('the request, its proof and the list show an answer with nothing hidden', async () => {
  const request = await aHidingRequest('Meridian Health Plan');
  const { request_id: id } = request;
  const { lease_token } = await service.client.work.claimRequest({
    request_id: id,
    channels: ['manual_web_portal'],
  });
  const coverage = aCoverage(request, {
    notes: hiding('Noted'),
    patient_info: { ...PATIENT, dob: '1984-05-17' },
    verification_source: 'manual_web_portal',
  });
  await service.client.work.submit({
    request_id: id,
    lease_token,
    insurance_data: [{ ...coverage, plan_info: { ...coverage.plan_info, plan_name: hiding('Gold') } }],
    benefits: [
      {
        entry: 0,
        benefits: [
          {
            kind: 'copayment',
            network: 'in',
            amount: '25.00',
            texts: [hiding('Message')],
            quote: hiding('Quote'),
            plan: hiding('Plan'),
            references: [{ kind: 'group_number', value: hiding('Group'), description: hiding('Described') }],
            related: [{ role: 'payer', name: hiding('Other'), address: hiding('Elsewhere') }],
          },
        ],
      },
    ],
    note: hiding('For colleagues'),
    reference: hiding('REF'),
  });
  const store = await openStore({ connectionString: service.databaseUrl, encryptionKey: ENCRYPTION_KEY });
  await keepX12Exchanges(store, [
    {
      requestId: id,
      accountId: (await service.client.requests.search({ request_id: id })).items[0]?.account_id ?? '',
      payerId: 'payer-2',
      controlNumber: 1,
      startedAt: new Date(),
      durationMs: 412,
      statusCode: 200,
      errorReason: null,
      payerCodes: [],
      inquiry: isa(`NM1*IL*1*${hiding('Sent')}`),
      answer: Buffer.from(isa(`MSG*${hiding('Answered')}`)),
    },
  ]);
  await store.close();
  const { page } = await aPerson(service, ['operator'], { at: `/console/requests/${id}` });
  await page.getByRole('button', { name: 'Show the patient' }).click();
  await page.getByRole('button', { name: 'Show the 270 and 271' }).click();
  await page.getByText('Everything the payer said').first().click();
  await expectShown(page, ['W1', 'Jane', 'Noted', 'Gold', 'Message', 'Quote', 'REF', 'Sent', 'Answered']);
  const requester = await aReader(service, ['requester']);
  expectRendered(await requester.open(`/requests/${id}/proof`), [
    'W1',
    'Jane',
    'Dr. Roe',
    'Clinic',
    'Gold',
    'Noted',
    'Message',
    'REF',
  ]);
  expectRendered(await requester.open('/requests'), []);
});

test('a held output shows what was asked and what is offered with nothing hidden', async () => {
  const request = await aHidingRequest();
  const { held_id: heldId } = await service.client.verificationOutput.submit(
    anOutput(request, {
      input: {
        ...request.input,
        patient_info: { ...PATIENT, name: hiding('Eve'), subscriber_id: hiding('W2') },
      },
      insurance_data: [aCoverage(request, { notes: hiding('Offered') })],
    }),
  );
  const operator = await aReader(service, ['operator']);
  expectRendered(await operator.open(`/held/${heldId}`), ['Jane', 'Eve', 'Main St', 'Clinic', 'Offered']);
  expectRendered(await operator.open('/held'), []);
});

// Names of people, keys and accounts, reasons, and what a receiver answered: others wrote them too.
test('the pages of deliveries, people, keys, holds and the audit show names and texts with nothing hidden', async () => {
  const receiver = await aReceiver({ status: 500, text: hiding('Receiver') });
  const request = await service.aRequest({ callback_url: receiver.url, provider_info: PROVIDER });
  await service.client.verificationOutput.submit(anOutput(request));
  await receiver.first();
  const { items } = await service.client.deliveries.list({ request_id: request.request_id });
  const { account_id: accountId } = await service.client.accounts.create({ name: hiding('Bayside') });
  await service.client.keys.create({
    account_id: accountId,
    scopes: ['requests'],
    name: hiding('Billing'),
  });
  await service.client.holds.place({ request_id: request.request_id, reason: hiding('Matter') });
  await service.link(['viewer'], hiding('Vera'));
  const reader = await aReader(service, ['operator', 'admin', 'auditor', 'privacy'], hiding('Olga'));
  for (const [path, names] of [
    [`/deliveries/${items[0]?.delivery_id}`, ['Receiver']],
    ['/deliveries', []],
    ['/receivers', []],
    ['/accounts', ['Bayside']],
    [`/keys?account_id=${accountId}`, ['Billing']],
    ['/staff', ['Vera', 'Olga']],
    ['/privacy', ['Matter']],
    ['/audit', ['Olga']],
    ['/settings', []],
  ] as const) {
    const page = await reader.open(path);
    page.only('h1');
    expectRendered(page, names);
  }
});
