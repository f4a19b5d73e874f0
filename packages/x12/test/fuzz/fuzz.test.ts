import { createSchemas } from '@insurance-verification/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenizer, readEligibilityInquiry, readFinding, readInterchanges } from '../../src/index.ts';
import { aContext, aRequest } from '../a-271.ts';
import { arbitraryAnswer } from './arbitrary-answer.ts';

const CASES = Number(process.env['FUZZ_CASES'] ?? 1_000);

/** Ends a run that waits in vain; 100,000 cases take two minutes. */
const PATIENCE_MS = 30 * 60_000;

const payers = ['Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3', 'Payer Plan 4'] as const;
const { InsurancePlanData } = createSchemas({ payers });
const context = aContext({ request: aRequest({ cpt_code_coverage: ['D0120', '99213', '99213-25', 'x'] }) });

// A payer's answer is a text from outside: one that throws takes the verifier down, one that loops takes it away.
test(
  `reads any text: no throw, a bounded answer of the schema's shape (${CASES} cases)`,
  { timeout: PATIENCE_MS },
  () => {
    fc.assert(
      fc.property(arbitraryAnswer, (text) => {
        const tokenizer = createTokenizer();
        const tokens = [...tokenizer.push(text), ...tokenizer.end()];
        // The work is counted, not timed: linear in the text.
        expect(tokenizer.scannedCount).toBeLessThanOrEqual(3 * text.length + 1_024);
        expect(tokens.length).toBeLessThanOrEqual(text.length + 1);

        for (const { groups } of readInterchanges(text).interchanges) {
          for (const { transactions } of groups) for (const one of transactions) readEligibilityInquiry(one);
        }
        const finding = readFinding(text, context);
        expect(finding.insuranceData.length).toBeLessThanOrEqual(100);
        expect(finding.payerCodes.length).toBeLessThanOrEqual(20);
        for (const entry of finding.insuranceData) {
          expect(InsurancePlanData.safeParse(entry).error).toBeUndefined();
          expect(entry.person_uuid).toBe(context.personUuid);
        }
        if (finding.kind === 'result') expect(finding.insuranceData.length).toBeGreaterThan(0);
      }),
      { numRuns: CASES },
    );
  },
);

test('what was read leaves nothing in memory, which is flat', { timeout: PATIENCE_MS }, () => {
  const collect = globalThis.gc;
  if (!collect) throw new Error('Run with --expose-gc, as vitest.config.ts does.');
  const samples = fc.sample(arbitraryAnswer, { numRuns: 500, seed: 7 });
  const readAll = () => {
    for (const text of samples) readFinding(text, context);
    collect();
    return process.memoryUsage().heapUsed;
  };
  for (let warmUp = 0; warmUp < 3; warmUp++) readAll();
  const before = readAll();
  let after = before;
  for (let round = 0; round < 10; round++) after = readAll();
  // 5,000 answers of 1 KB; a reader that kept each would grow by 5 MB and more.
  expect(after - before).toBeLessThan(2_000_000);
});
