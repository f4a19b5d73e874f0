import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@insurance-verification/payer-simulator';
import type { RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFolder } from '../ground/a-folder.ts';
import { answerOf } from '../ground/ask.ts';
import { startService } from '../ground/start-service.ts';

/** Dental, medical, both; one and several. */
const CODES = [['D0120'], ['99213', '99214'], ['D0120', 'D1110', 'D2740'], ['D0120', '99213'], ['99213-25']];

/** The simulated payers, with the codes that each answers for. */
const PAYERS: readonly (readonly [id: string, answers: (code: string) => boolean])[] = [
  ['SIM-NO-CODES', () => false],
  ['SIM-ONE-EQ', () => true],
  ['SIM-NO-CPT', (code) => code.startsWith('D')],
  ['SIM-CDT-ONLY', (code) => code.startsWith('D')],
  ['SIM-NO-ADDRESS', () => true],
];

const REQUEST_COUNT = 500;
const INQUIRIES_A_REQUEST_MAX = 2.2;

/** Payers that take some inquiries only: no request leaves the API channel for it, and no code is made up. */
export const pickyPayers: FaultRow = {
  number: 33,
  fault: 'payers that ignore codes, reject two questions, CPT or an address, or answer CDT only',
  rounds: 1,
  run: async (ground) => {
    // A service has four payers.
    await askPayers(ground, PAYERS.slice(0, 4));
    await askPayers(ground, PAYERS.slice(4));
  },
};

async function askPayers(ground: Ground, asked: typeof PAYERS): Promise<void> {
  const { tally, stack } = ground;
  const simulator = await startSimulator();
  stack.defer(() => simulator.stop());
  const databaseUrl = await ground.aDatabase();
  const ids = [...asked.map(([id]) => id), 'other-1', 'other-2', 'other-3', 'other-4'].slice(0, 4);
  const file = join(aFolder(stack), 'payers.json');
  const x12 = { url: simulator.url, sender_id: 'IVSERVICE', receiver_id: 'SIMULATOR', test: true };
  const payers = ids.map((id) => ({ id, name: `Plan ${id}`, channels: ['api', 'manual_phone_call'], x12 }));
  writeFileSync(file, JSON.stringify({ payers }));
  const env = { ROLES: 'http,verification', PAYERS_FILE: file };
  const { url } = await startService(ground, { databaseUrl, env });

  for (const [payerId, answers] of asked) {
    const requests = await Promise.all(
      Array.from({ length: REQUEST_COUNT }, async (_, index) => {
        const codes = CODES[index % CODES.length] ?? [];
        const patient = { ...aRequest().patient_info, subscriber_id: `${payerId}.${index}` };
        const body = {
          ...aRequest(),
          payer_info: { name: `Plan ${payerId}` },
          patient_info: { ...patient, address: '12 Elm St, Springfield, IL 62701' },
          cpt_code_coverage: codes,
        };
        const { request_id: id } = await answerOf<RequestModel>('POST', `${url}/requests/`, { body });
        return { id: id ?? '', codes };
      }),
    );
    tally.acknowledgedCount += requests.length;
    await until(
      'all have left the channel',
      async () => (await waitingAt(databaseUrl, payerId)) === 0,
      300_000,
    );
    let [passedOn, answeredCount, unansweredCount] = [0, 0, 0];
    for (const { id, codes } of requests) {
      const { state } = await answerOf<RequestModel>('GET', `${url}/requests/${id}`);
      if (state !== 'complete') {
        passedOn += 1;
        continue;
      }
      const { insurance_data: entries } = await answerOf<ResponseModel>(
        'GET',
        `${url}/requests/${id}/result`,
      );
      const [entry] = entries;
      const covered = entry?.plan_info.cpt_code_coverage ?? [];
      const notes = entry?.notes ?? '';
      tally.holds(entry?.plan_info.eligibility_status === 'Active', `${id} is not Active`);
      for (const code of codes) {
        const isAnswered = covered.includes(code);
        tally.holds(
          !isAnswered || answers(code),
          `${payerId} did not answer for ${code}, which is reported as covered`,
        );
        tally.holds(
          isAnswered !== notes.includes(code),
          `the notes of ${payerId} do not say what is with ${code}`,
        );
        if (isAnswered) answeredCount += 1;
        else unansweredCount += 1;
      }
    }
    const [sent] = await rows<{ count: number }>(
      databaseUrl,
      'select count(*)::int as count from x12_exchange where payer_id = $1',
      [payerId],
    );
    const inquiries = (sent?.count ?? 0) / REQUEST_COUNT;
    tally.lostCount += passedOn;
    tally.holds(passedOn === 0, `${passedOn} requests of ${payerId} were passed on`);
    tally.holds(
      inquiries <= INQUIRIES_A_REQUEST_MAX,
      `${payerId} got ${inquiries} inquiries a request, more than ${INQUIRIES_A_REQUEST_MAX}`,
    );
    tally.facts.push(
      `${payerId}: ${REQUEST_COUNT} requests, ${passedOn} passed on, ${inquiries.toFixed(2)} inquiries a request, ${answeredCount} codes answered, ${unansweredCount} unanswered`,
    );
  }
}

/** Requests of a payer that wait for its API. */
async function waitingAt(databaseUrl: string, payerId: string): Promise<number> {
  const [left] = await rows<{ count: number }>(
    databaseUrl,
    `select count(*)::int as count from work_queue where payer_id = $1 and channel in ('entry', 'api')`,
    [payerId],
  );
  return left?.count ?? 0;
}
