import { expect, test } from 'vitest';
import { createTokenizer, readFinding } from '../../src/index.ts';
import { a271, aContext, aRequest, aSubscriber, PROVIDER, SUBSCRIBER } from '../a-271.ts';

const LENGTH = 100_000;

/** `unit(0)`, `unit(1)`… until there are 100 KB of them. */
function repeated(unit: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < LENGTH; index++) text += `${unit(index)}\n`;
  return text;
}

/** 100 KB each of what a reader might be slow at. */
const LARGE: Readonly<Record<string, string>> = {
  'plans of different names': a271(aSubscriber(repeated((index) => `EB*1**30**P${index}`))),
  'rows of one plan': a271(aSubscriber(repeated(() => 'EB*1**30**GOLD'))),
  'other payers': a271(aSubscriber(repeated((index) => `EB*R**30\nNM1*PR*2*P${index}`))),
  'benefits of one element': a271(aSubscriber(repeated(() => 'EB*1'))),
  'modifiers of one code': a271(
    aSubscriber(repeated((index) => `EB*1************HC:99213:${index.toString(36).slice(-2)}`)),
  ),
  'codes of one benefit': a271(
    aSubscriber(
      `EB*1************${Array.from({ length: 6_000 }, (_, index) => `HC:${10_000 + index}`).join('^')}`,
    ),
  ),
  transactions: a271(repeated(() => 'ST*271\nHL*1**22\nEB*1\nSE')),
  'ranges of codes': a271(aSubscriber(repeated(() => 'EB*1***********Y*AD:D0000::::::D9999'))),
  'dates of one benefit': a271(aSubscriber(`EB*1**30\n${repeated(() => 'DTP*000*D8*20260101')}`)),
  messages: a271(aSubscriber(`EB*1**30\n${repeated((index) => `MSG*${index}`)}`)),
  rejections: a271(aSubscriber(repeated((index) => `AAA*N**${index}`))),
  dependents: a271(
    `${PROVIDER}${SUBSCRIBER}\n${repeated((index) => `HL*${index + 4}*3*23\nTRN*2*${index}\nAAA*N**75`)}`,
  ),
  subscribers: a271(`${PROVIDER}\n${repeated((index) => `HL*${index}**22\nEB*1**30`)}`),
  repetitions: a271(aSubscriber(repeated(() => `EB*1**${'30^'.repeat(10_000)}`))),
  'segments without an end': a271(aSubscriber('')).slice(0, 106) + 'A'.repeat(LENGTH),
  'terminators alone': a271(aSubscriber('')).slice(0, 106) + '~'.repeat(LENGTH),
  'elements alone': a271(aSubscriber('')).slice(0, 106) + '*'.repeat(LENGTH),
  'line breaks alone': '\n'.repeat(LENGTH),
  'headers alone': a271('')
    .slice(0, 106)
    .repeat(LENGTH / 106),
};

/** As many as are asked for at once, some with modifiers. */
const CODES = Array.from({ length: 98 }, (_, index) => `${99_200 + index}${index % 2 ? '-25' : ''}`);

test.each(Object.entries(LARGE))(
  '100 KB of %s: work linear in the text, an answer of bounded size',
  (_name, text) => {
    const tokenizer = createTokenizer();
    tokenizer.push(text);
    tokenizer.end();
    expect(tokenizer.scannedCount).toBeLessThanOrEqual(3 * text.length);
    const request = aRequest({ cpt_code_coverage: CODES });
    const finding = readFinding(text, aContext({ request }));
    const benefits = finding.kind === 'result' ? finding.benefits : [];
    expect(JSON.stringify({ ...finding, benefits: [] }).length).toBeLessThan(LENGTH * 2);
    const rows = benefits.flatMap(({ rows: kept }) => kept);
    expect(rows.length).toBeLessThanOrEqual(2_000);
    expect(rows.flatMap(({ segments }) => segments).join('').length).toBeLessThanOrEqual(text.length);
  },
);

// A list of 200,000 is more than a call takes as its arguments.
test('a text of many megabytes is read too', () => {
  const ranges = Array.from(
    { length: 200_000 },
    (_, index) =>
      `EB*1************HC:${10_000 + (index % 80_000)}::::::${99_300 + Math.floor(index / 80_000)}`,
  );
  const text = a271(aSubscriber(['EB*1**30', ...ranges].join('\n')));
  const finding = readFinding(text, aContext({ request: aRequest({ cpt_code_coverage: ['99213'] }) }));
  expect(finding.insuranceData[0]?.plan_info.cpt_code_coverage?.[0]).toBe('99213');
});
