import { Benefit } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { type AnswerContext, readFinding, readPayerAnswer } from '../src/index.ts';
import { aContext } from './a-271.ts';
import { readAll, rowsOf, segmentsOf } from './benefits-of.ts';

/** Nothing of what counts for the patient is lost, said twice, or out of order. */
export function expectWhole(text: string, context?: Partial<AnswerContext>): void {
  const finding = readFinding(text, aContext(context));
  if (finding.kind !== 'result') return;
  const { insuranceData } = finding;
  const found = readAll(finding);
  expect(finding.leftOut).toBe(0);
  expect(found).toHaveLength(insuranceData.length);
  const rows = rowsOf(found);
  expect(rows.map(({ benefit_id: id }) => id)).toEqual(rows.map((_, index) => `b${index}`));
  for (const row of rows) expect(Benefit.parse(row)).toEqual(row);
  const said = rows.flatMap(segmentsOf);
  const loops = readPayerAnswer(text)
    .answers.flatMap(({ payers }) => payers)
    .flatMap(({ providers }) => providers)
    .flatMap(({ subscribers }) => subscribers)
    .flatMap((subscriber) => [subscriber, ...subscriber.dependents])
    .map(({ benefits }) =>
      benefits.flatMap(({ segments }) =>
        segments.map(({ elements, delimiters }) => elements.join(delimiters.element)),
      ),
    );
  // The loops of one person stand in the order of the text: what is left of `said` begins with each in turn, or it is not theirs.
  let left = said;
  for (const loop of loops)
    if (loop.length > 0 && loop.every((segment, index) => segment === left[index]))
      left = left.slice(loop.length);
  expect(left).toEqual([]);
}
