import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RequestBenefits, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPayersFile } from '../../a-payers-file.ts';
import { startTestService, type TestService } from '../../a-service.ts';

/** The payer's answers, by member id; each line is a segment. */
const rowsOf = new Map<string, readonly string[]>();

/** The member id whose answer comes as a part in quoted-printable. */
const QUOTED = 'WQP';

function quoted(sent: string): string {
  const broken = sent.replaceAll('=', '=3D').replaceAll(/.{70}/g, '$&=\r\n');
  return `--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${broken}\r\n--b--\r\n`;
}

/** The payer: a 271 about the patient with the rows of their member id, and the trace of the inquiry. */
const payer = createServer((request, response) => {
  void answer(request, response);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const inquiry = await text(request);
  const trace = /TRN\*1\*([^*~]+)/.exec(inquiry)?.[1] ?? '';
  const memberId = /NM1\*IL\*.*?\*MI\*([^*~]+)/.exec(inquiry)?.[1] ?? '';
  const rows = rowsOf.get(memberId) ?? [];
  const lines = [
    'ISA*00*          *00*          *ZZ*PAYER          *ZZ*IVSERVICE      *261121*0930*^*00501*000000042*0*P*:',
    'GS*HB*PAYER*IVSERVICE*20261121*0930*42*X*005010X279A1',
    'ST*271*0001*005010X279A1',
    `BHT*0022*11*${trace}*20261121*0930`,
    'HL*1**20*1',
    'NM1*PR*2*PAYER PLAN 1*****PI*60054',
    'HL*2*1*21*1',
    'NM1*1P*2*MAIN STREET DENTAL*****XX*1234567893',
    'HL*3*2*22*0',
    `TRN*2*${trace}*9IVSERVICE`,
    `NM1*IL*1*DOE*JANE****MI*${memberId}`,
    'DMG*D8*19840517*F',
    ...rows,
    'SE*1*0001',
    'GE*1*42',
    'IEA*1*000000042',
  ];
  const sent = lines.map((line) => `${line}~`).join('');
  response.end(memberId === QUOTED ? quoted(sent) : sent);
}

let service: TestService;
beforeAll(async () => {
  await new Promise<void>((resolve) => payer.listen(0, '127.0.0.1', resolve));
  const { port } = payer.address() as AddressInfo;
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: ['api', 'manual_phone_call'],
    x12_payer_id: `6005${number}`,
    x12: { url: `http://127.0.0.1:${port}/`, sender_id: 'IVSERVICE', receiver_id: 'PAYER', test: true },
  }));
  service = await startTestService({ env: { PAYERS_FILE: aPayersFile(payers) } });
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => payer.close(resolve));
});

let count = 0;

/** The delivered entries, and the coverages of `requests.benefits`, where the payer answers these rows. */
async function answered(
  rows: readonly string[],
  codes: readonly string[] = [],
  memberId = `W${(count += 1)}`,
) {
  rowsOf.set(memberId, rows);
  const receiver = await aReceiver();
  const body = aRequest({
    patient_info: { subscriber_id: memberId, dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 1' },
    cpt_code_coverage: [...codes],
    callback_url: receiver.url,
  });
  const { request_id: requestId } = await service.answer<RequestModel & { request_id: string }>(
    'POST',
    '/requests/',
    body,
  );
  const [webhook] = await receiver.first();
  const { insurance_data: entries } = JSON.parse(webhook?.body ?? '') as ResponseModel;
  const { coverages, left_out: leftOut } = await service.answer<RequestBenefits>(
    'GET',
    `/requests/${requestId}/benefits`,
  );
  const [entry] = entries;
  const [coverage] = coverages;
  if (!entry || !coverage) throw new Error('One coverage');
  return {
    entries,
    coverages,
    leftOut,
    plan: entry.plan_info,
    notes: entry.notes ?? '',
    summary: coverage.summary,
  };
}

/** A day of X12, counted from today, which is the service date. */
const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
const [longAgo, lately, later] = [day(-700), day(-90), day(90)];

test('a service that ended ends no plan', async () => {
  const { plan, notes } = await answered(['EB*1*IND*35', 'EB*1*IND*38', `DTP*349*D8*${lately}`]);
  expect(plan).toMatchObject({ eligibility_status: 'Active', end_date: null });
  expect(notes).toMatch(/^Service type 38 \(Orthodontics\): ended on /m);
});

test('a benefit end without a begin ends the plan, and the summary calls nothing covered', async () => {
  const { plan, summary } = await answered([
    'EB*1**30**GOLD',
    `DTP*346*D8*${longAgo}`,
    `DTP*349*D8*${lately}`,
  ]);
  expect(plan.eligibility_status).toBe('Inactive');
  expect(summary.plan.network_not_said?.cover).toMatchObject({ value: 'not_covered' });
});

test('a row of another day denies no code of today, and a denial of today is one everywhere', async () => {
  const covered = await answered(
    ['EB*1**30**GOLD', 'EB*I*IND***********HC:99213', `DTP*349*D8*${lately}`, 'EB*1*IND***********HC:99213'],
    ['99213'],
  );
  expect(covered.plan.cpt_code_coverage).toEqual(['99213']);
  expect(covered.notes).not.toMatch(/Not covered/);
  expect(covered.summary.procedures[0]?.network_not_said?.cover).toMatchObject({ value: 'covered' });
  const ended = await answered(
    ['EB*1**30**GOLD', 'EB*1*IND***********HC:99213', `DTP*349*D8*${lately}`],
    ['99213'],
  );
  expect(ended.plan.cpt_code_coverage).toEqual([]);
  expect(ended.notes).toMatch(/^Not covered: 99213\.$/m);
  expect(ended.summary.procedures[0]?.network_not_said?.cover).toMatchObject({ value: 'not_covered' });
});

test('two plans with different numbers stay two, each with its own deductible', async () => {
  const { entries, coverages } = await answered([
    'EB*1**30',
    'REF*18*A1*PLAN A',
    'EB*1**30',
    'REF*18*B2*PLAN B',
    'EB*C*IND*30***23*700*****Y',
  ]);
  expect(entries.map(({ plan_info: { plan_name: name } }) => name)).toEqual(['PLAN A', 'PLAN B']);
  expect(entries.map(({ notes }) => /700/.test(notes ?? ''))).toEqual([false, true]);
  expect(coverages.map(({ summary }) => summary.plan.in_network.deductible.individual.total)).toMatchObject([
    { why: 'not_said' },
    { value: '700.00' },
  ]);
});

test("a spouse's status and other payer are not the subscriber's", async () => {
  const { entries, summary } = await answered([
    'EB*6*IND*30**GOLD',
    'EB*1*SPO*30**GOLD',
    'EB*R*SPO*30*C1',
    'LS*2120',
    'NM1*SEP*2*HARBOR LIFE*****PI*H9',
    'LE*2120',
  ]);
  expect(entries).toMatchObject([{ plan_info: { eligibility_status: 'Inactive' } }]);
  expect(JSON.stringify(summary.plan)).not.toContain('"covered"');
});

test('a company to ask, a limited insurance type and a cost that begins later are delivered', async () => {
  const { notes } = await answered([
    'EB*1**30*QM*GOLD',
    'EB*I**MH',
    'LS*2120',
    'NM1*VN*2*MIND CARE',
    'PER*IC**TE*8005550110',
    'LE*2120',
    'EB*A*IND*39*****.5****Y',
    `DTP*348*D8*${later}`,
  ]);
  expect(notes).toMatch(/^Insurance type QM /m);
  expect(notes).toMatch(/ask MIND CARE, phone 8005550110/);
  expect(notes).toMatch(/service type 39 \(Prosthodontics\): 50 % from \d{4}-/);
});

test('a row beyond those that are kept still counts in the summary and in the notes', async () => {
  const { leftOut, notes, summary } = await answered([
    'EB*1**30**GOLD',
    'EB*C*IND*30***23*500*****Y',
    ...Array.from({ length: 2_100 }, () => 'EB*D*IND*98'),
    'EB*C*IND*30***23*1500*****Y',
  ]);
  expect(leftOut).toBe(103);
  expect(summary.plan.in_network.deductible.individual.total).toMatchObject({ why: 'several' });
  expect(notes).not.toMatch(/Deductible/);
});

test('an answer in quoted-printable is decoded', async () => {
  const { plan, summary } = await answered(
    ['EB*1**30**GOLD PPO WITH A LONG NAME = ONE', 'EB*C*IND*30***23*1500*****Y', 'EB*B*IND*98***27*25*****Y'],
    [],
    QUOTED,
  );
  expect(plan.plan_name).toBe('GOLD PPO WITH A LONG NAME = ONE');
  expect(summary.plan.in_network.deductible.individual.total).toMatchObject({ value: '1500.00' });
});
