import { randomUUID } from 'node:crypto';
import type { OutputReceipt, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { type Answer, ask, answerOf } from '../ground/ask.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** Two processes on one database get the same calls at once. */
export const races: FaultRow = {
  number: 13,
  fault: '100 equal creates, 50 equal outputs, two outputs that differ, at once',
  rounds: 20,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 4 });
    const [first, second] = await Promise.all([
      startService(ground, { databaseUrl }),
      startService(ground, { databaseUrl }),
    ]);
    const post = (index: number, path: string, body: unknown, headers = {}) =>
      ask('POST', `${(index % 2 === 0 ? first : second).url}${path}`, { body, headers });
    /** Retries on "not now", as a caller would. */
    const posted = (...call: Parameters<typeof post>): Promise<Answer> =>
      until('an answer that is no "not now"', async () => {
        const answer = await post(...call);
        return ![409, 503].includes(answer.status) && answer;
      });
    const receipts = async (outputs: readonly ResponseModel[]) => {
      const answers = await Promise.all(
        outputs.map((output, index) => posted(index, '/verification-output', output)),
      );
      return answers.map(({ json }) => (json as OutputReceipt).status).toSorted();
    };

    for (let round = 0; round < ground.rounds; round += 1) {
      const body = aRequest({ callback_url: receiver.urls[round % 4] ?? '' });
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => posted(index, '/requests/', body, headers)),
      );
      const ids = new Set(answers.map(({ json }) => (json as RequestModel).request_id));
      tally.holds(ids.size === 1, `100 equal creates gave ${ids.size} requests`);

      const request = answers[0]?.json as RequestModel;
      const equal = await receipts(Array.from({ length: 50 }, () => anOutput(request)));
      const applied = equal.filter((status) => status === 'applied').length;
      tally.holds(applied === 1 && !equal.includes('held'), `50 equal outputs came to ${applied} results`);

      const other = await answerOf<RequestModel>('POST', `${first.url}/requests/`, { body });
      const different = [
        anOutput(other),
        anOutput(other, { insurance_data: [aCoverage(other, { notes: 'Another finding.' })] }),
      ];
      const outcomes = (await receipts(different)).join(', ');
      tally.holds(outcomes === 'applied, held', `two different outputs came to ${outcomes}`);
      tally.acknowledgedCount += 2;
    }
    const expected = 2 * ground.rounds;
    const [count] = await rows<{ requests: number; results: number; deliveries: number }>(
      databaseUrl,
      `select (select count(*)::int from request) as requests, (select count(*)::int from result) as results,
        (select count(*)::int from delivery) as deliveries`,
    );
    for (const [what, found] of Object.entries(count ?? {}))
      tally.holds(found === expected, `${found} ${what}, not ${expected}`);
    await until('every webhook came', () => receiver.arrivals.size >= expected);
    tally.duplicateCount = [...receiver.arrivals.values()].filter((arrivals) => arrivals.length > 1).length;
    tally.holds(receiver.arrivals.size === expected && tally.duplicateCount === 0, 'a result came twice');
  },
};
