import * as z from 'zod';

/** Why a value is refused: a `type` of the 422 vocabulary and its text. */
export interface Fault {
  readonly type: string;
  readonly msg: string;
}

/**
 * A string field with its own faults. `read` gets the sent value and returns the value to keep or a fault.
 *
 * Built on `z.unknown()`, not `z.string()`, so that a wrong type is also reported in the field's own words (pydantic
 * says `datetime_type` where a plain string field says `string_type`). A check that replaces the value is not a
 * transform, so the field's input and output stay one type and one JSON Schema.
 */
export function textField(read: (value: unknown) => string | Fault, jsonSchema: Record<string, unknown>) {
  const field = z
    .unknown()
    .check((payload) => {
      const result = read(payload.value);
      if (typeof result === 'string') payload.value = result;
      else {
        payload.issues.push({
          code: 'custom',
          input: undefined,
          path: [],
          message: result.msg,
          params: { type: result.type, msg: result.msg },
        });
      }
    })
    .meta({ type: 'string', ...jsonSchema });
  return field as unknown as z.ZodType<string, string>;
}

/** An integer that we send. Its JSON Schema omits the bounds of a double, which Zod would write and no reader needs. */
export function wholeNumber() {
  return z.int().meta({ minimum: undefined, maximum: undefined });
}

/**
 * Parses a query text as an integer, as FastAPI does (`5`, `+5`, ` 5 `, `5.0`, `1_000`). Any other text is returned
 * unchanged, so that the model answers `int_parsing`; the models themselves never coerce. A number beyond a double's
 * exact range becomes the largest safe integer of its sign, so that the bound is reported, not the type.
 */
export function integerFromQuery(text: string): number | string {
  // The length bound keeps the pattern cheap on hostile input; no integer parameter needs more.
  if (text.length > 100 || !/^\s*[+-]?\d+(_\d+)*(\.0+)?\s*$/.test(text)) return text;
  const number = Number(text.replaceAll('_', ''));
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}
