import { readFileSync } from 'node:fs';
import type { ValidationError } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { findJsonFault } from '../../../src/body/parse-json.ts';
import { useService } from '../../a-service.ts';

interface Case {
  readonly text: string;
  /** Null: FastAPI accepted it. A status: FastAPI failed. */
  readonly detail: ValidationError | { readonly status: number } | null;
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../golden/fastapi-json-faults.json', import.meta.url), 'utf8'),
) as {
  cases: Case[];
};

const service = useService();

const isJson = (text: string) => {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
};
/** Python reads these as UTF-16 because of their NULs; RFC 8259 allows UTF-8 only. */
const utf16 = new Set(['1\0', '\0' + '1']);

const malformed = cases.filter(({ text }) => !isJson(text));

test('there are enough of them', () => expect(malformed.length).toBeGreaterThan(280));

// A client's author looks for the fault at the reported position.
test.each(['/verification-output', '/trpc/verificationOutput.submit', '/requests/', '/trpc/requests.create'])(
  'malformed JSON is reported at FastAPI’s position by POST %s',
  async (path) => {
    for (const { text, detail } of malformed.filter((row) => !utf16.has(row.text))) {
      const { status, json } = await service.ask('POST', path, { body: text });
      const answer = json as { detail?: unknown; error?: { data: { detail?: unknown } } };
      expect({ text, status, detail: answer.detail ?? answer.error?.data.detail }).toEqual({
        text,
        status: 422,
        detail: [detail],
      });
    }
  },
);

test('what Python reads beyond JSON is malformed', async () => {
  const places: [text: string, position: number][] = [
    ['NaN', 0],
    ['Infinity', 0],
    ['-Infinity', 0],
    ['[1, NaN]', 4],
    ['{"a": -Infinity}', 6],
    ['1\0', 1],
    ['\0' + '1', 0],
  ];
  for (const [text, position] of places) {
    const { status, json } = await service.ask('POST', '/verification-output', { body: text });
    expect({ text, status, json }).toEqual({
      text,
      status: 422,
      json: { detail: [{ loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid' }] },
    });
  }
});

// What every parser must accept, one rule of the grammar each.
const valid = [
  '{}',
  '[]',
  ' [ ] ',
  '\t{\n}\r',
  '""',
  '"\\u0000\\n\\/"',
  '"\\uD834\\uDD1E"',
  '"\\ud800"',
  '"\\uFFFF"',
  '"\u2028\u2029\u007f"',
  '"\ufeff"',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e5',
  '1E+5',
  '1e-400',
  '1e400',
  '0.1e0',
  '-1.0E-1',
  `1${'0'.repeat(5_000)}`,
  'true',
  'false',
  'null',
  '[[[[]]]]',
  '[1,[2,{"a":[]}],null]',
  '{"":0}',
  '{"a":1,"a":2}',
  '{"a":{"b":{"c":{}}}}',
  '{"é😀":"é😀"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
];

test('what is JSON is read, whatever it holds', async () => {
  for (const text of valid) {
    expect({ text, fault: findJsonFault(Buffer.from(text)) }).toEqual({ text, fault: null });
    const { status, json } = await service.ask('POST', '/verification-output', { body: text });
    const { detail } = json as { detail: ValidationError[] };
    expect({ text, status, isRead: detail.every(({ type }) => type !== 'json_invalid') }).toEqual({
      text,
      status: 422,
      isRead: true,
    });
  }
});

test('no JSON text has a fault', () => {
  const accepted = cases.filter(({ text }) => isJson(text));
  expect(accepted.length).toBeGreaterThan(15);
  expect(accepted.map(({ text }) => findJsonFault(Buffer.from(text.replace(/^\ufeff/, ''))))).toEqual(
    accepted.map(() => null),
  );
});

const invalidUtf8: [what: string, bytes: number[], position: number][] = [
  ['a byte that starts nothing', [0x22, 0x61, 0xff, 0x22], 2],
  ['a continuation alone', [0x80], 0],
  ['a sequence cut off by a quote', [0x22, 0xe2, 0x82, 0x22], 1],
  ['a sequence cut off by the end', [0x22, 0xc3, 0xa9, 0xf0, 0x9f, 0x98], 2],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1],
  ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
  ['past the last character', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1],
  ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], 0],
  ['UTF-16 without', [0x7b, 0x00, 0x7d, 0x00], 1],
  ['behind 😀', [0x22, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0x22], 2],
];

test.each(invalidUtf8)(
  'invalid UTF-8, %s, is malformed JSON at its character, through both transports',
  async (_, bytes, position) => {
    const detail = [{ loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid' }];
    const body = Uint8Array.from(bytes);
    const rest = await service.ask('POST', '/verification-output', { body });
    expect(rest).toMatchObject({ status: 422, json: { detail } });
    const trpc = await service.ask('POST', '/trpc/verificationOutput.submit', { body });
    expect(trpc).toMatchObject({ status: 422, json: { error: { data: { httpStatus: 422, detail } } } });
  },
);
