import type { InsurancePlanData, PatientInfo, RequestInfo } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { startCountingSteps } from '@insurance-verification/testing/count-steps';
import { afterAll, describe, expect, test } from 'vitest';
import { anEntry } from './ground/an-entry.ts';

const counter = await startCountingSteps();
afterAll(() => counter.stop());

const schema = await import('@insurance-verification/schema');
const { compareValues } = await import('../src/output/comparison/compare-values.ts');
const { failedTests, sentenceOf } = await import('../src/output/comparison/compare-held-output.ts');
const { mismatchesOf } = await import('../src/output/decide-disposition.ts');
const { otherRequestIds } = await import('../src/output/held/hold.ts');
const { findMismatches } = await import('../src/verification/work/submit-work.ts');

/** Texts of about so many characters that a stranger may choose for a name, an id or a date. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'J'.repeat(length),
  'letters that differ at the end': (length) => `${'J'.repeat(length)}O`,
  'words of one letter': (length) => 'A B C D '.repeat(length / 8),
  'short forms': (length) => 'BOB ROB AL ED '.repeat(length / 14),
  points: (length) => 'J.'.repeat(length / 2),
  commas: (length) => 'A,'.repeat(length / 2),
  newborns: (length) => 'BABY BOY '.repeat(length / 9),
  suffixes: (length) => 'JR II '.repeat(length / 6),
  digits: (length) => '1'.repeat(length),
  zeros: (length) => '0'.repeat(length),
  dates: (length) => '1984-05-17 '.repeat(length / 11),
  blanks: (length) => ' '.repeat(length),
  apostrophes: (length) => 'O’N'.repeat(length / 3),
  marks: (length) => 'e\u0301'.repeat(length / 2),
  surrogates: (length) => '\ud83d\ude00'.repeat(length / 2),
};

/** What a name is compared by its words up to, and the largest body that is accepted. */
const SIZES = [500, 1_048_576];

/** Some 30 ms of the event loop a megabyte; the constant is a hundred comparisons of the longest names. */
const STEPS_PER_CHARACTER_MAX = 40;
const STEPS_MAX = 1_000_000;

/** Fails where the steps of some work grow faster than its input. */
async function expectLinear(workAt: (length: number) => () => unknown): Promise<void> {
  for (const size of SIZES) {
    const steps = await counter.count(workAt(size));
    expect(steps, `at ${size} characters`).toBeLessThan(STEPS_MAX + size * STEPS_PER_CHARACTER_MAX);
  }
}

const PATIENT: PatientInfo = { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' };

/** As many as fit into a body of a length. */
function entriesOf(length: number, patientAt: (index: number) => PatientInfo): InsurancePlanData[] {
  const entries: InsurancePlanData[] = [];
  for (let left = length; left > 0;) {
    const entry = anEntry({ patient_info: patientAt(entries.length) });
    entries.push(entry);
    left -= JSON.stringify(entry).length;
  }
  return entries;
}

/** A create may have 128 KiB, whatever an output has that names it. */
const ASKED_LENGTH = 100_000;

// Broke: a request with a name of 100 KB and an output of 1 MB that named it stopped the event loop for minutes.
describe.each(Object.entries(TEXTS))('%s', (_, textOf) => {
  const texts = (length: number): PatientInfo => ({
    subscriber_id: textOf(length),
    dob: textOf(length),
    name: textOf(length),
    address: textOf(length),
  });

  test('a patient is compared in steps that grow as the texts do', async () => {
    await expectLinear((length) => {
      const [one, other] = [texts(length), { ...texts(length), name: `${textOf(length)} Doe` }];
      return () => {
        schema.comparePatients(one, other);
        schema.comparePatients(one, PATIENT);
        schema.birthDateReadings(one.dob);
        schema.initialsOf(one.name);
        schema.escapeHidden(one.name ?? '');
        schema.doubtfulMembers({ patient_info: one, provider_info: { npi: textOf(length) } }, '2026-11-27');
      };
    });
  });

  test.each([
    ['all of one patient', () => PATIENT],
    [
      'each of another patient',
      (index: number) => ({ ...PATIENT, subscriber_id: `W${index}`, name: `J ${index}` }),
    ],
    [
      'each with another date',
      (index: number) => ({ ...PATIENT, dob: `19${10 + (index % 90)}-05-1${index % 9}` }),
    ],
    [
      'of long names',
      (index: number) => ({ ...PATIENT, name: `${textOf(480)} ${index}`, address: textOf(480) }),
    ],
  ] as const)('an output is compared in steps that grow as it does: entries %s', async (_name, patientAt) => {
    const asked: RequestInfo = aRequest({ patient_info: texts(ASKED_LENGTH / 4) });
    const request = { request_id: 'req_1', input: asked, received_timestamp: '2026-01-02T03:04:05Z' };
    await expectLinear((length) => {
      const output = anOutput(
        { ...request, state: 'pending' },
        { insurance_data: entriesOf(length, patientAt) },
      );
      const standing = {
        outcome: 'complete',
        errorReason: null,
        insuranceData: output.insurance_data,
      } as const;
      return () => {
        const values = compareValues({ asked: request, standing, offered: output });
        const mismatches = mismatchesOf(output, 'payer-1', { id: 'req_1', payerId: 'payer-2', input: asked });
        const tests = failedTests({ reason: 'superseding', mismatches, hasRequest: true, hasResult: true });
        sentenceOf('superseding', tests, values);
        otherRequestIds(output, 'req_1');
        findMismatches(
          { insuranceData: output.insurance_data, isPatientConfirmed: false },
          { id: 'req_1', input: asked, channel: 'manual_phone_call' },
        );
      };
    });
  });
});
