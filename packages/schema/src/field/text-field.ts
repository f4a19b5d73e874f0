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
