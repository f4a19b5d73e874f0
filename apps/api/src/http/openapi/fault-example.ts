import { OPERATIONS, toValidationErrors } from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Meta } from '../../procedure/context/meta.ts';
import { inputLocations, pathParameters } from '../../procedure/input-locations.ts';

/** A 422 that the operation would answer: to an empty body where that is a fault, else to a wrong value. */
export function faultExample(input: z.ZodObject, meta: Meta) {
  for (const wrong of wrongInputs(input, meta)) {
    const { error } = input.safeParse(wrong);
    if (error) return { detail: toValidationErrors(error.issues, wrong, inputLocations(meta)) };
  }
  throw new TypeError(`${meta.operation} accepts whatever it is sent.`);
}

/**
 * Inputs that some operation refuses, likely ones first. Path parameters are filled in where there are other fields.
 */
function* wrongInputs(input: z.ZodObject, { operation }: Meta): Generator<object> {
  const inPath = pathParameters(OPERATIONS[operation].path);
  const names = Object.keys(input.shape).filter((name) => !inPath.includes(name));
  const path = Object.fromEntries(inPath.map((name) => [name, name]));
  if (names.length === 0) yield {};
  yield path;
  for (const name of names) yield { ...path, [name]: 0 };
}
