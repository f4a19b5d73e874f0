import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { HeldStatus } from './held-output-detail.ts';
import { heldOutputShape } from './held-output.ts';

const { request_id: _requestId, ...shape } = heldOutputShape;

/** An output of a request that was held, without what it says (`requests.view`). */
export const HeldOutputSummary = model(
  'HeldOutputSummary',
  'A held output of a request, waiting or settled, without its contents.',
  {
    ...shape,
    received_by: z.string().nullable().meta({
      description:
        'The key or person that handed it in, for operators; null for a stranger, and for other callers.',
    }),
    status: HeldStatus.meta({ description: 'Whether it still waits, or how it ended.' }),
    version: wholeNumber().nullable().meta({
      description:
        'The version of the result that it became; null when of none, also when it was applied to another request.',
    }),
    settled_at: dateTime()
      .nullable()
      .meta({ description: 'When it was applied or dismissed; null while it waits.' }),
    settled_by: z.string().nullable().meta({
      description:
        'The key or person that applied or dismissed it, for operators; null while it waits, and for other callers.',
    }),
    noted: z.boolean().meta({
      description:
        'Whether a note was left with its dismissal; heldOutputs.get has the note, which may name the patient.',
    }),
  },
);
export type HeldOutputSummary = z.infer<typeof HeldOutputSummary>;
