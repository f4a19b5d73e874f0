import { OPERATIONS, toValidationErrors } from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Meta } from '../../procedure/context/meta.ts';
import { inputLocations, pathParameters } from '../../procedure/input-locations.ts';

/** A 422 of the operation, as it would be answered: to an empty body, where that is not enough. */
export function faultExample(input: z.ZodObject, meta: Meta) {
  for (const wrong of wrongInputs(input, meta)) {
    const { error } = input.safeParse(wrong);
    if (error) return { detail: toValidationErrors(error.issues, wrong, inputLocations(meta)) };
  }
  throw new TypeError(`${meta.operation} accepts whatever it is sent.`);
}

/** Inputs that some operation or other refuses, likely ones first. What stands in a path is there, where there is more. */
function* wrongInputs(input: z.ZodObject, { operation }: Meta): Generator<object> {
  const inPath = pathParameters(OPERATIONS[operation].path);
  const names = Object.keys(input.shape).filter((name) => !inPath.includes(name));
  const path = Object.fromEntries(inPath.map((name) => [name, name]));
  if (names.length === 0) yield {};
  yield path;
  for (const name of names) yield { ...path, [name]: 0 };
}
