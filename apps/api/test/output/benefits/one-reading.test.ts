import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RequestBenefits, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPayersFile } from '../../a-payers-file.ts';
import { startTestService, type TestService } from '../../a-service.ts';

/** The payer's answers, by member id; each line is a segment, and TRACE is the inquiry's. */
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
  const rows = (rowsOf.get(memberId) ?? []).map((row) => row.replace('TRACE', trace));
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

test('a service that is listed and denied is reported as both, without a value', async () => {
  const { plan, notes, summary } = await answered(['EB*1**30^35**GOLD', 'EB*I**35'], ['D0120']);
  expect(plan.eligibility_status).toBe('Active');
  expect(notes).toMatch(/^Service type 35 \(Dental care\): .*(both|not covered)/m);
  expect(JSON.stringify(summary.service_types)).toContain('"several"');
});

test('an end that cannot be read is reported', async () => {
  const { notes } = await answered(['DTP*346*D8*20250101', 'DTP*347*D8*20260631', 'EB*1**30**GOLD']);
  expect(notes).toMatch(/20260631 cannot be read/);
});

test('the cost of the code that was asked comes before those of other services', async () => {
  const others = ['98', 'UC', '86', 'PT', 'AF', 'AD', '33', 'MH', 'AL', '48', '50', '62'];
  const { notes, summary } = await answered(
    [
      'EB*1**30^35**BRIGHT',
      ...others.map((code, index) => `EB*B*IND*${code}***27*${10 + 5 * index}*****Y`),
      'EB*A*IND******.5****Y*AD:D2740',
    ],
    ['D2740'],
  );
  expect(notes).toMatch(/^Co-insurance, D2740: 50 % /);
  expect(notes).toMatch(/^Amounts of the answer that are not listed here: 3\.$/m);
  expect(summary.procedures[0]?.in_network.coinsurance).toMatchObject({ value: '50' });
});

test('a spend-down and what is left of it are two amounts', async () => {
  const { notes } = await answered(['EB*1**30*MC*MEDICALLY NEEDY', 'EB*Y**30***34*500', 'EB*Y**30***29*120']);
  expect(notes).toMatch(/\$500 a month, \$120 left/);
});

test('one in six months is not six in a month', async () => {
  const { coverages } = await answered(
    ['EB*1**35**BRIGHT', 'EB*F*IND**********Y*AD:D0274', 'HSD*VS*1***34*6'],
    ['D0274'],
  );
  expect(JSON.stringify(coverages)).toContain('"period":"month","period_count":"6"');
});

test("a telehealth vendor is not the office visit's", async () => {
  const { notes } = await answered([
    'EB*1**30**GOLD',
    'EB*1**98',
    'EB*1**98',
    'III*ZZ*02',
    'LS*2120',
    'NM1*VN*2*TELECARE ONE',
    'LE*2120',
  ]);
  expect(notes).toMatch(/at place of service 02[^.\n]*TELECARE ONE/);
});

test("an age limit after the row of a code is not the plan's", async () => {
  const { notes, summary } = await answered(
    ['EB*1**35**BRIGHT', 'EB*D*IND******1****Y*AD:D1351', 'EB*F********S7*18**Y'],
    ['D1351'],
  );
  expect(notes).not.toMatch(/payer also says: up to the age of 18/);
  expect(JSON.stringify(summary.plan)).not.toContain('18');
});

test('no cover out of network is reported, and is in the summary', async () => {
  const { notes, summary } = await answered(['EB*1**30**HMO BLUE*******Y', 'EB*I**30*********N']);
  expect(notes).toMatch(/out of network/);
  expect(summary.plan.out_of_network.cover).toMatchObject({ value: 'not_covered' });
});

test('the second of two who answer is named', async () => {
  const { entries } = await answered([
    'EB*6**30*MC*MEDICAID',
    `DTP*347*D8*${lately}`,
    'HL*4**20*1',
    'NM1*PR*2*RIVER HEALTH MCO*****PI*RH1',
    'HL*5*4*21*1',
    'NM1*1P*2*MAIN STREET DENTAL*****XX*1234567893',
    'HL*6*5*22*0',
    'TRN*2*TRACE*9IVSERVICE',
    'NM1*IL*1*DOE*JANE****MI*W1',
    'DMG*D8*19840517*F',
    'EB*1**30*HM*RIVER PLAN',
    `DTP*346*D8*${lately}`,
  ]);
  expect(entries.map(({ plan_info: { eligibility_status: status } }) => status)).toEqual([
    'Inactive',
    'Active',
  ]);
  expect(entries[1]?.notes).toMatch(/[Aa]nswered by RIVER HEALTH MCO/);
});

test.each([
  ['EB*7**30**GOLD', 'Inactive', /still reviewing this coverage/],
  ['EB*8**30**GOLD', 'Inactive', /still reviewing this coverage/],
  ['EB*4**30**GOLD', 'Active', /primary care provider/],
])('%s is %s, and the notes say why', async (row, status, why) => {
  const { plan, notes } = await answered([row]);
  expect(plan.eligibility_status).toBe(status);
  expect(notes).toMatch(why);
});

test('a dental code that the payer sends without its D is that code', async () => {
  const { plan } = await answered(['EB*1**35**BRIGHT', 'EB*1***********Y*AD:1110'], ['D1110']);
  expect(plan.cpt_code_coverage).toEqual(['D1110']);
});

test('an amount and a percent of one row are both reported', async () => {
  const { notes } = await answered(['EB*1**30**GOLD', 'EB*B*IND*98***27*25*.2****Y']);
  expect(notes).toMatch(/\$25\b/);
  expect(notes).toMatch(/20 %/);
});

test('the payer that answers is not another payer too', async () => {
  const { entries } = await answered([
    'EB*1**30**GOLD',
    'EB*R**30',
    'LS*2120',
    'NM1*PRP*2*PAYER PLAN 1*****PI*60054',
    'NM1*SEP*2*HARBOR LIFE*****PI*H9',
    'LE*2120',
  ]);
  expect(JSON.stringify(entries)).toMatch(/HARBOR LIFE[^"]*secondary/);
  expect(JSON.stringify(entries)).not.toContain('Other payer: PAYER PLAN 1');
});
