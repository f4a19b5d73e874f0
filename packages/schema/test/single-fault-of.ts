import fc from 'fast-check';
import * as z from 'zod';
import { arbitraryOf } from './arbitrary-of.ts';

interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: z.core.$ZodType;
  readonly isRequired: boolean;
}

/** A valid body with one fault in it, and where. */
export function singleFaultOf(
  model: z.ZodObject,
): fc.Arbitrary<{ body: unknown; path: readonly (string | number)[] }> {
  return fc.tuple(arbitraryOf(model), fc.nat(), fc.nat()).map(([valid, at, how]) => {
    const body = structuredClone(valid);
    const places = [...placesIn(model, body, [])];
    const place = places[at % places.length];
    if (place === undefined) throw new Error('A model without fields has no place for a fault.');
    const { path } = place;
    const last = path.at(-1) ?? '';
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body);
    const faults = faultsFor(place);
    const fault = faults[how % faults.length];
    if (fault === undefined && place.isRequired) delete (holder as Record<string, unknown>)[last];
    else (holder as Record<string, unknown>)[last] = fault;
    return { body, path };
  });
}

/** Every place of `body` where a fault can stand, with the schema that decides there. */
function* placesIn(schema: z.core.$ZodType, value: unknown, path: (string | number)[]): Generator<Place> {
  if (schema instanceof z.ZodObject) {
    for (const [key, field] of Object.entries(schema.shape)) {
      const present = (value as Record<string, unknown>)[key];
      yield { path: [...path, key], schema: field, isRequired: !(field instanceof z.ZodOptional) };
      if (present !== undefined && present !== null) yield* placesIn(field, present, [...path, key]);
    }
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* placesIn(schema.def.innerType, value, path);
  } else if (schema instanceof z.ZodArray) {
    for (const [index, item] of (value as unknown[]).entries()) {
      yield { path: [...path, index], schema: schema.def.element, isRequired: false };
      yield* placesIn(schema.def.element, item, [...path, index]);
    }
  }
}

/** Values that are wrong there; undefined stands for "absent". */
function faultsFor({ schema, isRequired }: Place): unknown[] {
  let inner = schema;
  let isNullable = false;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    isNullable ||= inner instanceof z.ZodNullable;
    inner = inner.def.innerType;
  }
  const faults: unknown[] = [0, 5, -1.5, true, false];
  if (!isNullable) faults.push(null);
  if (isRequired) faults.push(undefined);
  if (!(inner instanceof z.ZodObject)) faults.push({}, { a: 1 });
  if (!(inner instanceof z.ZodArray)) faults.push([], ['x']);
  if (!(inner instanceof z.ZodString)) faults.push('', 'x', '2026-13-01', 'ftp://x.example');
  return faults;
}
