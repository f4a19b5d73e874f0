import * as z from 'zod';

/** An integer that we send. Its JSON Schema omits the bounds of a double, which Zod would write and no reader needs. */
export function wholeNumber() {
  return z.int().meta({ minimum: undefined, maximum: undefined });
}
