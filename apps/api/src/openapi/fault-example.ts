import { toValidationErrors } from '@insurance-verification/schema';
import type * as z from 'zod';
import { inputLocations } from '../input-locations.ts';
import type { Meta } from '../meta.ts';

/** Inputs that some operation or other refuses, likely ones first. */
function wrongInputs(input: z.ZodObject): unknown[] {
  return [{}, { limit: 0 }, ...Object.keys(input.shape).map((name) => ({ [name]: 0 }))];
}

/** A 422 of the operation, as it would be answered: to nothing at all, where that is not enough. */
export function faultExample(input: z.ZodObject, meta: Meta) {
  for (const wrong of wrongInputs(input)) {
    const { error } = input.safeParse(wrong);
    if (error) return { detail: toValidationErrors(error.issues, wrong, inputLocations(meta)) };
  }
  throw new TypeError(`${meta.openapi.path} accepts whatever it is sent.`);
}
