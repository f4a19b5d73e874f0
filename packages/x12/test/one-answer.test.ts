import { expect, test } from 'vitest';
import { readFinding } from '../src/index.ts';
import { a271, aContext, aRequest, aSubscriber } from './a-271.ts';

interface Case {
  readonly name: string;
  /** The rows of the subscriber, with the dates of loop 2100 before them. */
  readonly rows: string;
  readonly codes?: readonly string[];
  /** Of each entry, in their order. */
  readonly status?: readonly (string | null)[];
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
  readonly covered?: readonly string[];
  readonly groups?: readonly (string | null)[];
  readonly orders?: readonly (string | null)[];
}

const GOLD = 'EB*1**30**GOLD\n';
const MIND_CARE = 'LS*2120\nNM1*VN*2*MIND CARE\n';

const CASES: readonly Case[] = [
  {
    name: 'a code of the day holds a coverage whose service ended',
    rows: 'EB*1**38\nDTP*349*D8*20260331\nEB*1*IND***********AD:D1110',
    codes: ['D1110'],
    status: ['Active'],
    says: /38 \(Orthodontics\): ended on 2026-03-31/,
    covered: ['D1110'],
  },
  {
    name: 'a service that names a plan and ended does not end the others',
    rows: 'EB*1**98**HMO\nDTP*349*D8*20260331\nEB*1**AL\nEB*1**35',
    status: ['Active'],
    says: /98 \(Office visit\): ended on 2026-03-31/,
  },
  {
    name: 'a service that ended out of network only runs in network',
    rows: 'EB*1**98*********Y\nDTP*346*D8*20250101\nEB*1**98*********N\nDTP*346*D8*20250101\nDTP*347*D8*20260630',
    status: ['Active'],
  },
  {
    name: 'a service without days next to one of last year is active, and the other days are reported',
    rows: 'EB*1**35\nEB*1**35\nDTP*346*RD8*20250101-20251231',
    status: ['Active'],
    says: /names days that do not hold 2026-11-21: 2025-01-01 to 2025-12-31/,
  },
  {
    name: 'a dental plan that only a number distinguishes is a coverage',
    rows: 'EB*1**30\nREF*18*A1*MEDICAL ONE\nEB*1**35\nREF*18*B2*DENTAL TWO\nDTP*349*D8*20260331',
    status: ['Active', 'Inactive'],
  },
  {
    name: 'a cost names in EB05 the plan that REF 18 names elsewhere',
    rows: 'EB*1**30\nREF*18*A1*PLAN A\nEB*1**30\nREF*18*B2*PLAN B\nEB*C*IND*30**PLAN A*23*500\nEB*C*IND*30**PLAN B*23*700',
    status: ['Active', 'Active'],
    says: /\$700/,
  },
  {
    name: 'the first kind of dates decides for a service as for a plan',
    rows: 'EB*1**35\nDTP*346*D8*20250101\nDTP*307*RD8*20250101-20251231',
    status: ['Active'],
    saysNot: /ended/,
  },
  {
    name: 'dates of a row for somebody else are not the patient’s',
    rows: 'EB*1*IND*30**GOLD\nEB*1*SPO*30**GOLD\nDTP*442*D8*20260101\nDTP*341*D8*20260630',
    status: ['Active'],
    saysNot: /died|COBRA/,
  },
  {
    name: 'a service that the dates of loop 2100 end is reported',
    rows: 'DTP*346*D8*20200101\nDTP*347*D8*20260331\nEB*1**35\nEB*1**38\nDTP*346*D8*20260401',
    status: ['Active'],
    says: /35 \(Dental care\): ended on 2026-03-31/,
  },
  {
    name: 'a denial of another benefit year counts like cover of one',
    rows: `${GOLD}EB*I************HC:99213\nDTP*292*RD8*20250101-20251231`,
    codes: ['99213'],
    says: /^Not covered: 99213\.$/m,
    saysNot: /did not say/,
  },
  {
    name: 'an inactive service is reported with its days',
    rows: `${GOLD}EB*6**35\nDTP*348*D8*20260401`,
    says: /35 \(Dental care\): Inactive from 2026-04-01/,
  },
  {
    name: 'the day that was asked about is not a date of a denial',
    rows: `${GOLD}EB*I**35\nDTP*291*D8*20261121`,
    says: /not covered \(EB I\)/,
    saysNot: /2026-11-21/,
  },
  {
    name: 'of two group numbers none is the coverage’s',
    rows: `REF*6P*G0\n${GOLD}REF*6P*G1`,
    says: /^Group numbers: G0, G1\.$/m,
    groups: [null],
  },
  { name: 'a number in another case is the same', rows: `REF*6P*g1\n${GOLD}REF*6P*G1`, groups: ['g1'] },
  {
    name: 'an insurance type of the spouse does not order the patient’s coverage',
    rows: `${GOLD}EB*1*SPO*30*12*MEDICARE`,
    orders: [null],
  },
  {
    name: 'an end of another payer that cannot be read is reported',
    rows: `${GOLD}EB*R**30*C1\nDTP*290*RD8*20250101-20260631\nLS*2120\nNM1*PR*2*A LIFE\nLE*2120`,
    says: /20250101-20260631 cannot be read/,
  },
  {
    name: 'each of several other payers has its own member id and order',
    rows: `${GOLD}EB*R**30\nLS*2120\nNM1*PRP*2*A LIFE\nNM1*IL*1*DOE*JANE****MI*A1\nNM1*SEP*2*B LIFE\nNM1*IL*1*DOE*JANE****MI*B1\nLE*2120`,
    says: /A LIFE, primary, member id A1\.[\s\S]*B LIFE, secondary, member id B1\./,
    orders: [null, 'primary', 'secondary'],
  },
  {
    name: 'a payer without an order next to one with it is another payer too',
    rows: `${GOLD}EB*R**30\nLS*2120\nNM1*PRP*2*A LIFE\nNM1*PR*2*B LIFE\nLE*2120`,
    says: /A LIFE, primary\.[\s\S]*B LIFE\./,
  },
  {
    name: 'a name that only begins as the payer’s is another payer’s',
    rows: `${GOLD}EB*R**30\nLS*2120\nNM1*PRP*2*PAYER PLAN 10*****PI*S77\nLE*2120`,
    says: /Other payer: PAYER PLAN 10/,
  },
  {
    name: 'an active service has its company next to another member id',
    rows: `${GOLD}EB*1**88\nLS*2120\nNM1*PR*2*RXCO*****PI*RX\nPER*IC**TE*8005550113\nNM1*IL*1*DOE*JANE****MI*RX777\nLE*2120`,
    says: /with RXCO \(RX\), phone 8005550113, the member id is RX777 there/,
  },
  {
    name: 'a phone at work is a phone',
    rows: `${GOLD}EB*I**MH\n${MIND_CARE}PER*IC**WP*8005550111\nLE*2120`,
    says: /ask MIND CARE, phone 8005550111/,
  },
  {
    name: 'the provider who asked is not a company to ask, by their NPI',
    rows: `${GOLD}EB*I**MH\nLS*2120\nNM1*VN*2*MAIN ST CLINIC INC*****XX*1234567893\nLE*2120`,
    saysNot: /ask/,
  },
  {
    name: 'a listed service without a status is reported',
    rows: 'EB*1**30^35**GOLD\nEB*V**35',
    says: /35 \(Dental care\): no status \(EB V\)/,
  },
  {
    name: 'a spend-down without an amount is reported',
    rows: 'EB*1**30*MC*MN\nEB*Y**30',
    says: /spend down applies/,
  },
  {
    name: 'a spend-down of the family is reported as such, and not another person’s',
    rows: `${GOLD}EB*Y*FAM*30***34*900\nEB*Y*CHD*30***34*500`,
    says: /^Spend-down: \$900 a month \(family\)\.$/m,
    saysNot: /500/,
  },
  {
    name: 'the asked code of a long list has its cost',
    rows: `${GOLD}EB*A*IND******.2****Y*${['D2740', 'D2750', 'D2751', 'D2752', 'D2753', 'D2754', 'D2755'].map((code) => `AD:${code}`).join('^')}`,
    codes: ['D2740'],
    says: /^Co-insurance, D2740: 20 %/m,
  },
  {
    name: 'a code that is still under review is reported so',
    rows: `${GOLD}EB*7************HC:99213`,
    says: /99213: Inactive, still under review \(EB 7\)/,
  },
  {
    name: 'an insurance type that limits is reported of any row',
    rows: `${GOLD}EB*6**35*LI\nEB*B**98*WC**27*20\nEB*D**30*AP`,
    says: /type LI[\s\S]*type WC[\s\S]*type AP/,
  },
  {
    name: 'a refusal of a code is that code’s',
    rows: `${GOLD}EB*V************HC:99213\nAAA*N**52*C`,
    says: /^99213: the payer answered AAA 52\.$/m,
  },
  {
    name: 'a code for a diagnosis only is reported so',
    rows: `${GOLD}EB*1************HC:90834*1\nEB*1************HC:90837\nIII*ABF*F329`,
    says: /90834: for a diagnosis \(EB14\)\.\n90837: for diagnosis F329 \(III\)/,
  },
  {
    name: 'an age limit after rows of services is not the plan’s',
    rows: 'EB*1**35**B\nEB*1**38\nEB*F********S7*18',
    says: /does not say of which service: up to the age of 18/,
    saysNot: /also says: up to the age/,
  },
  {
    name: 'a code that is denied in network and covered out of it is reported by network',
    rows: `${GOLD}EB*I***********Y*HC:99213\nEB*1***********N*HC:99213`,
    codes: ['99213'],
    says: /^Not covered in network, covered out of network: 99213\.$/m,
    covered: [],
  },
  {
    name: 'an amount and a percent of a deductible leave what is left of it',
    rows: `${GOLD}EB*C*IND*30***23*1500*.1****Y\nEB*C*IND*30***29*100*****Y`,
    says: /\$1500 and 10 %, both in one row\.\nDeductible: \$100 left/,
  },
  {
    name: 'a message of a range of codes names the range',
    rows: `${GOLD}EB*I************HC:70540::::::70559\nMSG*NO MRI`,
    says: /70540–70559: NO MRI/,
  },
  {
    name: 'a code in network is not the coverage’s that ended out of network',
    rows: 'EB*1**30**GOLD*******Y\nEB*6**30**GOLD*******N\nEB*1***********Y*HC:99214',
    codes: ['99214'],
    status: ['Active', 'Inactive'],
    covered: ['99214'],
  },
  {
    name: 'an authorization of a later row is not today’s',
    rows: `${GOLD}EB*1**********Y**HC:99213\nDTP*348*D8*20270101\nEB*1**********N**HC:99213\nDTP*348*RD8*20260101-20261231`,
    saysNot: /authorization/,
  },
  {
    name: 'a row that names a plan of single services is that plan’s, whatever it is about',
    rows: 'EB*1**35**DENT\nEB*1**AL**VIS\nEB*I**38**DENT',
    status: ['Active', 'Active'],
    saysNot: /for DENT/,
  },
  {
    name: 'hyphens do not distinguish numbers',
    rows: `${GOLD}REF*6P*55-5\nEB*1************HC:99213\nREF*6P*555`,
    codes: ['99213'],
    covered: ['99213'],
  },
  {
    name: 'an inactive service with an end is reported next to a list that has it',
    rows: 'EB*1**30^98^35**GOLD\nEB*6**35\nDTP*357*D8*20260930',
    says: /35 \(Dental care\): Inactive, ended on 2026-09-30 \(EB 6\)/,
  },
  {
    name: 'of two plans each has the group number of its rows, not of the loop around',
    rows: 'REF*6P*111\nEB*1**30**MED\nREF*6P*111\nEB*1**30**DENT\nREF*6P*222',
    groups: ['111', '222'],
  },
  {
    name: 'a service of the same plan name with another group number is a coverage',
    rows: `${GOLD}REF*6P*555\nEB*1**AL**GOLD\nREF*6P*556\nEB*B**AL**GOLD*27*10\nREF*6P*556`,
    status: ['Active', 'Active'],
    says: /\$10 a visit/,
    groups: ['555', '556'],
  },
  {
    name: 'a service with days of its own is reported next to a plan that ended',
    rows: 'EB*1**30**GOLD\nDTP*346*RD8*20250101-20251231\nEB*1**35**GOLD\nDTP*346*RD8*20260101-20261231',
    status: ['Inactive'],
    says: /35 \(Dental care\): active from 2026-01-01 to 2026-12-31 by a row of its own/,
  },
  {
    name: 'the days of loop 2100 are not a denial’s own',
    rows: 'DTP*346*D8*20260101\nDTP*347*D8*20261231\nEB*1**35**PPO\nEB*I************AD:D6010\nEB*I**38',
    says: /^Not covered: D6010\.$/m,
    saysNot: /not covered from/,
  },
  {
    name: 'a range of codes that is all that is covered is named whole',
    rows: 'EB*1************HC:99211::::::99215',
    says: /99211–99215 only/,
  },
  {
    name: 'an insurance type of the plan is reported once',
    rows: 'EB*1**30*QM*GOLD\nEB*1**98*QM\nEB*1************HC:99213',
    saysNot: /98[^.]*insurance type QM/,
  },
];

test.each(CASES.map((each) => [each.name, each] as const))('%s', (_name, each) => {
  const request = aRequest(each.codes && { cpt_code_coverage: [...each.codes] });
  const finding = readFinding(a271(aSubscriber(each.rows)), aContext({ request }));
  expect(finding.kind).toBe('result');
  const entries = finding.insuranceData;
  const notes = entries.map((entry) => entry.notes ?? '').join('\n');
  const [first] = entries;
  if (each.status) expect(entries.map(({ plan_info: plan }) => plan.eligibility_status)).toEqual(each.status);
  if (each.says) expect(notes).toMatch(each.says);
  if (each.saysNot) expect(notes).not.toMatch(each.saysNot);
  if (each.covered) expect(first?.plan_info.cpt_code_coverage).toEqual(each.covered);
  const benefits = finding.kind === 'result' ? finding.benefits : [];
  if (each.groups) expect(benefits.map(({ group_number: group }) => group)).toEqual(each.groups);
  if (each.orders) expect(benefits.map(({ order }) => order)).toEqual(each.orders);
});
