import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  componentsOf,
  createTokenizer,
  elementOf,
  repetitionsOf,
  type Segment,
  SEGMENT_LENGTH_MAX,
  tokenize,
  tokenizeStream,
  type X12Fault,
} from '../src/index.ts';
import { a271, aSubscriber } from './a-271.ts';

const TEXT = a271(aSubscriber('EB*1*IND*30^33*PR*GOLD PPO\nMSG*CAFÉ'));
const HEADER = TEXT.slice(0, 106);

/** Short: ids of segments, codes and positions of faults. */
const brief = (tokens: readonly (Segment | X12Fault)[]) =>
  tokens.map((token) => (token.kind === 'segment' ? token.id : `${token.code}@${token.position}`));

test('takes the delimiters from the positions of the header', () => {
  const [header] = tokenize(TEXT);
  expect(header).toMatchObject({
    id: 'ISA',
    position: 0,
    delimiters: { element: '*', component: ':', segment: '~', repetition: '^' },
  });
});

test('numbers elements from one and splits repetitions and components on demand', () => {
  const segment = tokenize(TEXT).find((token) => token.kind === 'segment' && token.id === 'EB') as Segment;
  expect(elementOf(segment, 5)).toBe('GOLD PPO');
  expect(elementOf(segment, 99)).toBe('');
  expect(repetitionsOf(segment, 3)).toEqual(['30', '33']);
  expect(componentsOf(segment, 3)).toEqual(['30^33']);
  expect(TEXT.slice(segment.position).startsWith('EB*1')).toBe(true);
});

test('each interchange of a text has delimiters of its own', () => {
  const other = TEXT.replaceAll(
    /[*:~^]/g,
    (char) => ({ '*': '|', ':': '>', '~': '\n', '^': '!' })[char] ?? '',
  );
  const tokens = tokenize(`${TEXT}\r\n${other}`);
  const separators = tokens.flatMap((token) =>
    token.kind === 'segment' && token.id === 'ISA' ? [token.delimiters.element] : [],
  );
  expect(separators).toEqual(['*', '|']);
  expect(tokens.filter(({ kind }) => kind === 'fault')).toEqual([]);
});

test('says where a fault begins, and continues after a broken segment', () => {
  expect(brief(tokenize(`${HEADER}GS*HB~?B*1~st*271~NM1*IL`))).toEqual([
    'ISA',
    'GS',
    'segment_id_invalid@112',
    'segment_id_invalid@117',
    'segment_unterminated@124',
  ]);
  expect(brief(tokenize('<html>'))).toEqual(['interchange_missing@0']);
  expect(brief(tokenize(''))).toEqual(['interchange_missing@0']);
  expect(brief(tokenize('ISA*00*'))).toEqual(['delimiters_invalid@0']);
  expect(brief(tokenize('ISAA00A'.repeat(40)))).toEqual(['delimiters_invalid@0']);
  expect(brief(tokenize(`${TEXT}HTTP/1.1`))).toContain(`text_after_interchange@${TEXT.length}`);
});

test('a header inside an interchange begins a new one', () => {
  expect(brief(tokenize(`${HEADER}GS*HB~${TEXT}`)).filter((id) => id === 'ISA')).toHaveLength(2);
});

test('keeps one segment at most: a text without a terminator is given up', () => {
  const tokenizer = createTokenizer();
  const tokens = [...tokenizer.push(HEADER)];
  for (let count = 0; count < 2_000; count++) tokens.push(...tokenizer.push('A'.repeat(1_000)));
  expect(brief([...tokens, ...tokenizer.end()])).toEqual(['ISA', 'segment_too_long@106']);
  expect(tokenizer.scannedCount).toBeLessThan(4 * SEGMENT_LENGTH_MAX);
});

test('pieces of any size give what the whole text gives', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 40 });
  fc.assert(
    fc.property(pieces, (sizes) => {
      const tokenizer = createTokenizer();
      const tokens: (Segment | X12Fault)[] = [];
      let rest = TEXT + TEXT;
      for (const size of sizes) {
        tokens.push(...tokenizer.push(rest.slice(0, size)));
        rest = rest.slice(size);
      }
      tokens.push(...tokenizer.push(rest), ...tokenizer.end());
      expect(tokens).toEqual(tokenize(TEXT + TEXT));
    }),
  );
});

test('reads a stream of bytes, also when a character is cut in two', async () => {
  const bytes = Buffer.from(TEXT);
  const chunks = [...bytes].map((byte) => Uint8Array.of(byte));
  const tokens: (Segment | X12Fault)[] = [];
  for await (const token of tokenizeStream(Readable.from(chunks))) tokens.push(token);
  expect(tokens).toEqual(tokenize(TEXT));
});
