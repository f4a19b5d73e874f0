import { createSchemas } from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { readFinding } from '../src/index.ts';
import { a271, aContext, aSubscriber } from './a-271.ts';
import { allFixtures } from './fixtures/all-fixtures.ts';
import type { Fixture } from './fixtures/fixture.ts';

const { InsurancePlanData } = createSchemas({
  payers: ['Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3', 'Payer Plan 4'],
});

/** The finding without what the fixture need not repeat. */
function readAs({ text, context }: Fixture) {
  const finding = readFinding(text, aContext(context));
  for (const entry of finding.insuranceData) expect(InsurancePlanData.parse(entry)).toEqual(entry);
  if (finding.kind === 'result') return finding.insuranceData;
  const { reason, payerCodes, mayRetry, insuranceData } = finding;
  return {
    reason,
    payerCodes,
    ...(mayRetry && { mayRetry }),
    ...(insuranceData.length > 0 && { insuranceData }),
  };
}

// Each is an answer of the field and what a person reads from it: a wrong one reaches a clinic as a wrong coverage.
describe.each(Object.entries(allFixtures))('%s', (_group, fixtures) => {
  test.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
    expect(readAs(fixture)).toEqual(fixture.expected);
  });
});

const DELIMITERS = ['|', '\u001D', '\u001E', '\u001F', '!', '>', '+', '`', '\\', '¦', '\t', '_'];

test('delimiters change nothing, whichever they are', () => {
  const groups = Object.entries(allFixtures).filter(([group]) => group !== 'texts');
  for (const fixture of groups.flatMap(([, fixtures]) => fixtures)) {
    if (!fixture.text.startsWith('ISA*')) continue;
    for (let turn = 0; turn < DELIMITERS.length; turn++) {
      const [element, component, segment, repetition] = [0, 1, 2, 3].map(
        (place) => DELIMITERS[(turn + place) % DELIMITERS.length],
      );
      // An underscore stands in every request id: it cannot be a delimiter of such a text.
      if ([element, component, segment, repetition].includes('_')) continue;
      const permuted = fixture.text.replaceAll(/[*:~^]/g, (char) =>
        String({ '*': element, ':': component, '~': segment, '^': repetition }[char]),
      );
      expect(readAs({ ...fixture, text: permuted }), permuted).toEqual(fixture.expected);
    }
  }
});

// Broke: a period of “constructor” found what every object has, and put the text of a function into a clinic's note.
test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'the code %s says nothing of its own',
  (code) => {
    const rows = `EB*1**30**Gold\nEB*C*IND*30**Gold*${code}*500\nREF*${code}*1\nDTP*${code}*D8*20260101\nEB*${code}*IND*30\nEB*A*${code}*98*${code}*Gold****${code}*2\nLS*2120\nNM1*${code}*2*Other Plan\nLE*2120`;
    const finding = readFinding(a271(aSubscriber(rows)), aContext());
    expect(JSON.stringify(finding)).not.toMatch(/native code|\[object|function /);
    expect(finding).toMatchObject({
      kind: 'result',
      insuranceData: [{ plan_info: { eligibility_status: 'Active' } }],
    });
  },
);
