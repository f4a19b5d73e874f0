import fc from 'fast-check';
import * as z from 'zod';

/** Any UTF-16 text: NUL, lone surrogates, bidi marks and all. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);
const day = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((instant) => instant.toISOString());
const offset = fc.constantFrom('Z', 'z', '+00:00', '-05:30', '+14:00', '+23:59');
const dateTimeText = fc
  .tuple(day, fc.constantFrom('T', 't'), fc.constantFrom('', '.5', '.123456789012'), offset)
  .map(
    ([iso, separator, fraction, zone]) =>
      `${iso.slice(0, 10)}${separator}${iso.slice(11, 19)}${fraction}${zone}`,
  );

const byFormat: Record<string, fc.Arbitrary<string>> = {
  'date-time': dateTimeText,
  date: day.map((iso) => iso.slice(0, 10)),
  uri: fc
    .webUrl({ withFragments: true, withQueryParameters: true })
    .filter((address) => address.length <= 2083),
};

/** Every valid value of a model, made from the model itself. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape);
    const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([key]) => key);
    const arbitraries = Object.fromEntries(fields.map(([key, field]) => [key, arbitraryOf(field)]));
    return fc.record(arbitraries, { requiredKeys: required, noNullPrototype: true });
  }
  if (schema instanceof z.ZodOptional) return arbitraryOf(schema.def.innerType);
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.def.innerType));
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.def.element), { maxLength: 3 });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodString) return text;
  const format = byFormat[String(z.globalRegistry.get(schema)?.['format'])];
  if (format === undefined) throw new Error(`No arbitrary for ${schema._zod.def.type}`);
  return format;
}
