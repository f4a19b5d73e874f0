import fc from 'fast-check';
import { type Document, resolve, type Schema } from './document.ts';

/** Part of every generated text, so that an echo of one is detected. */
export const MARK = 'Mk7f3a';

/** Any UTF-16 text: NUL, lone surrogates, bidi marks and all. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  )
  .map((any) => MARK + any);

const instant = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

const byFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.oneof(
    instant,
    instant.map((iso) => `${iso.slice(0, 19)}+05:30`),
    instant.map((iso) => iso.toLowerCase()),
  ),
  date: instant.map((iso) => iso.slice(0, 10)),
  uri: fc
    .webUrl({ withFragments: true, withQueryParameters: true })
    .map((url) => `${url}${url.includes('#') ? '' : `#${MARK}`}`),
};

/** Every value that the document allows at this place. */
export function arbitraryOf(document: Document, reference: Schema): fc.Arbitrary<unknown> {
  const schema = resolve(document, reference);
  const inner = (part: Schema) => arbitraryOf(document, part);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(inner));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (typeof schema.type === 'object')
    return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 });
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 3,
      });
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, field]) => [name, inner(field)] as const,
      );
      return fc.record(Object.fromEntries(fields), {
        requiredKeys: [...(schema.required ?? [])],
        noNullPrototype: true,
      });
    }
    case 'string':
      return (byFormat[schema.format ?? ''] ?? text).filter(
        (value) => value.length <= (schema.maxLength ?? Infinity),
      );
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}.`);
  }
}
