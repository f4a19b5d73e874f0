import * as z from 'zod';

/** An integer we send. Its JSON Schema leaves out the bounds of a double, which Zod would write and no reader needs. */
export function wholeNumber() {
  return z.int().meta({ minimum: undefined, maximum: undefined });
}
