import { aRequest } from '@insurance-verification/testing/a-request';
import { startCountingSteps } from '@insurance-verification/testing/count-steps';
import { afterAll, expect, test } from 'vitest';

const counter = await startCountingSteps();
afterAll(() => counter.stop());

const { readFinding } = await import('@insurance-verification/x12');

/** Of fifty plans, none of which says anything of a code. */
const ANSWER = [
  'ISA*00*          *00*          *ZZ*PAYER          *ZZ*IVSERVICE      *261121*0930*^*00501*000000042*0*P*:',
  'GS*HB*PAYER*IVSERVICE*20261121*0930*42*X*005010X279A1',
  'ST*271*0001*005010X279A1',
  'BHT*0022*11*req_1*20261121*0930',
  'HL*1**20*1',
  'NM1*PR*2*PAYER PLAN 1*****PI*60054',
  'HL*2*1*21*1',
  'NM1*1P*2*MAIN STREET DENTAL*****XX*1234567893',
  'HL*3*2*22*0',
  'NM1*IL*1*DOE*JANE****MI*W123456789',
  'DMG*D8*19840517*F',
  ...Array.from({ length: 50 }, (_, index) => `EB*1**30**P${index}`),
  'SE*60*0001',
  'GE*1*42',
  'IEA*1*000000042',
  '',
].join('~');

/** One code and its modifier, with other signs between them each time. */
function spellingOf(index: number): string {
  const between = index
    .toString(4)
    .padStart(8, '0')
    .replaceAll(/\d/g, (digit) => ' :,-'[Number(digit)] ?? '');
  return `99213${between}25`;
}

// Broke: each of thousands of spellings of one code was looked for among all of them, for each of fifty coverages.
test('an answer is read in steps that grow with the codes that a request asks for', async () => {
  const stepsOf = (count: number) => {
    const patient_info = { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' };
    const request = aRequest({
      patient_info,
      cpt_code_coverage: Array.from({ length: count }, (_, index) => spellingOf(index)),
    });
    const context = {
      request,
      requestId: 'req_1',
      serviceDate: '2026-11-21',
      payerNames: ['Payer Plan 1'],
      payerTimeZone: 'America/New_York',
      receivedAt: new Date('2026-11-21T14:30:09.000Z'),
      personUuid: '00000000-0000-4000-8000-000000000001',
    };
    return counter.count(() => {
      const { kind, insuranceData } = readFinding(ANSWER, context);
      expect([kind, insuranceData.length]).toEqual(['result', 50]);
    });
  };
  const [few, many] = [await stepsOf(500), await stepsOf(5_000)];
  expect(many).toBeLessThan(few * 12);
});
