import {
  askedProcedures,
  type InquiryContent,
  readFinding,
  readKeptRows,
  readPayerAnswer,
  reasonOfRejection,
  toEligibilityInquiry,
  writeEligibilityInquiry,
} from '@insurance-verification/x12';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayerSimulator, SCENARIO_MEMBER_IDS, startSimulator } from '../src/index.ts';

let simulator: PayerSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

const REQUEST_ID = 'req_01k9z8t5e6f7g8h9j0k1m2n3p4';

const requestFor = (memberId: string) => ({
  patient_info: {
    subscriber_id: memberId,
    dob: '1984-05-17',
    name: 'Jane Doe',
    address: '12 Elm St, Springfield, IL 62701',
  },
  payer_info: { name: 'Payer Plan 1' },
  provider_info: { npi: '1234567893', name: 'Main Street Dental' },
  cpt_code_coverage: ['D0120'],
  callback_url: 'https://receiver.example/hook',
});

/** With the code of the request, unless `content` says otherwise. */
function inquiryFor(memberId: string, content: Partial<InquiryContent> = {}): string {
  const askedAt = new Date();
  const inquiry = toEligibilityInquiry(requestFor(memberId), {
    requestId: REQUEST_ID,
    traceOrigin: '9IVSERVICE',
    payerId: '60054',
    serviceDate: askedAt.toISOString().slice(0, 10),
    askedAt,
    content: { procedures: askedProcedures(requestFor(memberId)), ...content },
  });
  return writeEligibilityInquiry(inquiry, {
    sender: { qualifier: 'ZZ', id: 'IVSERVICE' },
    receiver: { qualifier: 'ZZ', id: 'SIMULATOR' },
    controlNumber: 7,
    writtenAt: askedAt,
    usage: 'T',
  });
}

async function ask(memberId: string, init: RequestInit = {}) {
  const res = await fetch(simulator.url, { method: 'POST', body: inquiryFor(memberId), ...init });
  return { status: res.status, text: await res.text() };
}

function read(text: string, memberId: string) {
  return readFinding(text, {
    request: requestFor(memberId),
    requestId: REQUEST_ID,
    serviceDate: new Date().toISOString().slice(0, 10),
    payerNames: ['Payer Plan 1'],
    payerTimeZone: 'UTC',
    receivedAt: new Date(),
    personUuid: '00000000-0000-4000-8000-000000000001',
  });
}

/** Plan names and statuses of the answer; otherwise the reason. */
async function finding(memberId: string) {
  const found = read((await ask(memberId)).text, memberId);
  return found.kind === 'result'
    ? found.insuranceData.map(({ plan_info: plan }) => `${plan.plan_name} ${plan.eligibility_status}`)
    : found.reason;
}

// Breaks if a payer that takes some inquiries only is simulated as one that takes all: then nothing tests what we do about it.
test.each([
  ['SIM-NO-CODES', {}, 'result'],
  ['SIM-ONE-EQ', { serviceTypes: [] }, 'result'],
  ['SIM-ONE-EQ', {}, 'request_incomplete'],
  ['SIM-NO-CPT', {}, 'result'],
  ['SIM-NO-CPT', { procedures: [{ qualifier: 'HC', code: '99213', modifiers: [] }] }, 'service_invalid'],
  ['SIM-CDT-ONLY', {}, 'result'],
  ['SIM-NO-ADDRESS', {}, 'result'],
  ['SIM-NO-ADDRESS', { hasAddress: true }, 'name_mismatch'],
  ['SIM-NEEDS-ADDRESS.12', { hasAddress: true }, 'result'],
  ['SIM-NEEDS-ADDRESS.12', {}, 'member_ambiguous'],
  ['SIM-NEEDS-GENDER', { gender: 'F' }, 'result'],
  ['SIM-NEEDS-GENDER', {}, 'gender_invalid'],
  ['SIM-INACTIVE-FOR-CODES', { procedures: [] }, 'result'],
  ['SIM-RELATIVE-FOR-CODES', {}, 'member_not_found'],
])('%s, asked with %j, answers %s', async (memberId, content, expected) => {
  const { text } = await ask(memberId, { body: inquiryFor(memberId, content) });
  const found = read(text, memberId);
  expect(found.kind === 'result' ? found.kind : found.reason).toBe(expected);
});

// The demo and the connector's tests rely on these answers.
test.each([
  ['W123456789', ['GOLD PPO Active']],
  ['SIM-ACTIVE', ['GOLD PPO Active']],
  ['SIM-INACTIVE', ['GOLD PPO Inactive']],
  ['SIM-SEVERAL', ['GOLD PPO Active', 'SILVER HMO Active', 'BRIGHT DENTAL Inactive']],
  ['SIM-OTHER-PAYER', ['GOLD PPO Active', 'null null']],
  ['SIM-MEDICAL', ['GOLD PPO 1500 Active']],
  ['SIM-DENTAL', ['DENTAL PPO PLUS Active']],
  ['SIM-MEDICARE', ['null Active', 'null Active', 'null null']],
  ['SIM-ENDED', ['GOLD PPO Inactive']],
  ['SIM-UNSURE', 'requires_other_channel'],
  ['SIM-DEPENDENT', ['GOLD PPO Active']],
  ['SIM-NAMED-DEPENDENT', ['GOLD PPO Active']],
  ['SIM-OTHER-COSTS', ['GOLD PPO Active']],
  ['SIM-RELATIVE', 'member_not_found'],
  ['SIM-TWINS', 'member_ambiguous'],
  ['SIM-OTHER-DELIMITERS', ['GOLD PPO Active']],
  ['SIM-WRONG-TRACE', 'payer_response_invalid'],
  ['SIM-WRONG-CONTROL', 'payer_response_invalid'],
  ['SIM-999', 'payer_response_invalid'],
  ['SIM-TA1', 'payer_response_invalid'],
  ['SIM-HTML', 'payer_response_invalid'],
  ['SIM-TRUNCATED', 'payer_response_invalid'],
])('%s', async (memberId, expected) => {
  expect(await finding(memberId)).toEqual(expected);
});

test.each([
  ['SIM-MEDICAL', 67],
  ['SIM-DENTAL', 32],
  ['SIM-MEDICARE', 12],
])('%s has %d rows, and all are kept', async (memberId, count) => {
  const { text } = await ask(memberId);
  expect(readPayerAnswer(text).faults).toEqual([]);
  const found = read(text, memberId);
  if (found.kind !== 'result') throw new Error(found.reason);
  expect(text.match(/~EB\*/g)).toHaveLength(count);
  const rows = found.benefits.flatMap((one) => readKeptRows(one.rows));
  expect(rows).toHaveLength(count);
  expect(rows.filter(({ kind }) => kind === 'unknown')).toEqual([]);
});

test('every AAA code has a member id, in a 271 that is whole', async () => {
  const ids = SCENARIO_MEMBER_IDS.filter((id) => id.startsWith('SIM-AAA-'));
  expect(ids).toHaveLength(55);
  for (const id of ids) {
    const { text } = await ask(id);
    expect(readPayerAnswer(text).faults, id).toEqual([]);
    const found = read(text, id);
    const code = id.slice('SIM-AAA-'.length);
    expect(found.payerCodes, id).toEqual([`AAA ${code}`]);
    if (found.kind === 'no_result') expect(found.reason, id).toBe(reasonOfRejection(code));
    else expect(code).toBe('35');
  }
});

test.each([
  ['SIM-500', 500],
  ['SIM-503', 503],
  ['SIM-GONE-FOR-CODES', 503],
  ['SIM-429', 429],
  ['SIM-401', 401],
])('%s answers %d', async (memberId, status) => {
  expect((await ask(memberId)).status).toBe(status);
});

test('fails once, then answers the same inquiry', async () => {
  expect((await ask('SIM-500-ONCE')).status).toBe(500);
  expect((await ask('SIM-500-ONCE')).status).toBe(200);
});

test('drops the connection, or keeps it without a word', async () => {
  await expect(ask('SIM-RESET')).rejects.toThrow();
  await expect(ask('SIM-NO-HTTP')).rejects.toThrow();
  for (const memberId of ['SIM-HANG', 'SIM-HANG-MIDWAY']) {
    await expect(ask(memberId, { signal: AbortSignal.timeout(200) })).rejects.toThrow(/time/i);
  }
});

test('answers JSON in JSON, and a multipart form in one', async () => {
  const inJson = await ask('SIM-ACTIVE', {
    body: JSON.stringify({ x12: inquiryFor('SIM-ACTIVE') }),
    headers: { 'content-type': 'application/json' },
  });
  expect(read(JSON.parse(inJson.text).x12, 'SIM-ACTIVE').kind).toBe('result');
  const form = new FormData();
  form.set('PayloadType', 'X12_270_Request_005010X279A1');
  form.set('Payload', inquiryFor('SIM-ACTIVE'));
  const res = await fetch(simulator.url, { method: 'POST', body: form });
  expect((await res.formData()).get('Payload')).toMatch(/^ISA\*.*IEA\*1\*\d{9}~$/s);
});

test('answers what is no inquiry as a payer does', async () => {
  const post = async (body: string) => {
    const res = await fetch(simulator.url, { method: 'POST', body });
    return { status: res.status, text: await res.text() };
  };
  expect((await post('hello')).status).toBe(400);
  const cut = readPayerAnswer((await post(inquiryFor('X').slice(0, 300))).text);
  expect(cut.interchangeAcknowledgements).toMatchObject([{ isAccepted: false, noteCode: '024' }]);
  const other = readPayerAnswer((await post(inquiryFor('X').replace('ST*270', 'ST*276'))).text);
  expect(other.acknowledgements).toMatchObject([{ isAccepted: false, groupControlNumber: '7' }]);
  expect((await fetch(simulator.url)).status).toBe(405);
});

test('asks for its token when it has one', async () => {
  const guarded = await startSimulator({ token: 'secret' });
  try {
    const post = (headers: Record<string, string>) =>
      fetch(guarded.url, { method: 'POST', body: inquiryFor('X'), headers }).then(({ status }) => status);
    expect(await post({})).toBe(401);
    expect(await post({ authorization: 'Bearer secret' })).toBe(200);
  } finally {
    await guarded.stop();
  }
});
