import { type Document, resolve, type Schema } from './document.ts';

/** The first and the last that can be read, and what PostgreSQL alone would take. */
const INSTANTS = [
  '0001-01-01T00:00:00+23:59', // in UTC the year 0
  '0001-01-01T00:00:00Z',
  '0999-12-31T23:59:59.999999Z',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999999Z',
  '9999-12-31T23:59:59-23:59', // in UTC the year 10000
  'infinity',
];
const DAYS = ['0001-01-01', '9999-12-31', 'infinity'];
const TEXTS = ['', '\0', '\ud800', '%_\\', '9223372036854775808'];
const NUMBERS = [0, -1, 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 63, 0.5];

/** The example with an edge in one place after the other: of times, texts and numbers, and lists with nothing in them. */
export function* edgesOf(document: Document, reference: Schema, example: unknown): Generator {
  const schema = resolve(document, reference);
  for (const part of schema.anyOf ?? []) yield* edgesOf(document, part, example);
  const types = [schema.type ?? []].flat();
  if (types.includes('object')) {
    const fields = (example ?? {}) as Readonly<Record<string, unknown>>;
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      for (const edge of edgesOf(document, field, fields[name])) yield { ...fields, [name]: edge };
  }
  if (types.includes('array')) {
    yield [];
    const [first] = (example ?? []) as readonly unknown[];
    for (const edge of edgesOf(document, schema.items ?? {}, first)) yield [edge];
  }
  if (types.includes('string')) yield* textsOf(schema);
  if (types.includes('integer') || types.includes('number')) yield* NUMBERS;
}

function textsOf({ format }: Schema): readonly string[] {
  if (format === 'date-time') return INSTANTS;
  return format === 'date' ? DAYS : TEXTS;
}
