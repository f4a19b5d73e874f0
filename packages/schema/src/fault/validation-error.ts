import * as z from 'zod';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** One fault in a request: its location, a text and a code. Never the value: it would be patient data. */
export const ValidationError = model(
  'ValidationError',
  'One fault in a request. It never repeats the value that was sent.',
  {
    loc: list(z.union([z.string(), wholeNumber()])).meta({
      description:
        'Where: "body", "query" or "header", then the keys and list positions that lead to the value.',
    }),
    msg: z.string().meta({ description: 'What is wrong, in English.' }),
    type: z
      .string()
      .meta({ description: 'What is wrong, as a stable code such as "missing" or "string_type".' }),
  },
);
export type ValidationError = z.infer<typeof ValidationError>;

/** The body of every 422 answer. */
export const HTTPValidationError = model('HTTPValidationError', 'The body of every 422 answer.', {
  detail: list(ValidationError).optional().meta({
    description:
      'All faults, one per location, in the order of the schema. Always sent, though the spec does not require it.',
  }),
});
export type HTTPValidationError = z.infer<typeof HTTPValidationError>;
