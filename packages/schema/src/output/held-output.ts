import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { nextCursorField } from '../page/page-fields.ts';
import { AskedMember } from './asked-member.ts';
import { HeldReason } from './held-reason.ts';
import { ResultMember } from './result-member.ts';

const heldOutputShape = {
  held_id: z.string().meta({ description: 'The id of the held output.' }),
  reason: HeldReason.meta({ description: 'Why it was held.' }),
  received_at: dateTime().meta({ description: 'When it was first received.' }),
  request_id: z
    .string()
    .nullable()
    .meta({ description: 'The request of ours that it names; null when it names none we know.' }),
};

/** An output awaiting an operator (`heldOutputs.list`). No text in it is the sender's. */
export const HeldOutput = model('HeldOutput', 'An output that waits for an operator.', {
  ...heldOutputShape,
  account_name: z.string().nullable().meta({
    description: 'The name of the account of that request; null without one.',
  }),
  payer: z.string().nullable().meta({
    description: "The payer's name, from that request and not from the output; null without one.",
  }),
  patient_initials: z.string().nullable().meta({
    description:
      "The initials of the patient's name, as that request has it; null where `differs` has nothing to compare, and where the name has no letters.",
  }),
  offered_by: z.string().nullable().meta({
    description:
      'The name of the key or person that sent it; null for a stranger, and for a key without a name.',
  }),
  differs: list(AskedMember).meta({
    description:
      'The values in which the output differs from that request, by the rules of heldOutputs.compare, without the values, as it was when the output was held; what is only written otherwise is left out. Empty where nothing differs, and where there is nothing to compare: no request, one that was erased, or a text that does not open.',
  }),
  changes: list(ResultMember).meta({
    description:
      'The values in which the output differs from the result that the request had when it was held, as `differs` has it; empty without such a result. Each result has its own `uuid` and `verification_time`: they are never in it.',
  }),
});
export type HeldOutput = z.infer<typeof HeldOutput>;

/** One page of held outputs, newest first. */
export const HeldOutputList = model('HeldOutputList', 'One page of held outputs.', {
  items: list(HeldOutput).meta({ description: 'The held outputs, newest first.' }),
  next_cursor: nextCursorField(),
});
export type HeldOutputList = z.infer<typeof HeldOutputList>;

export { heldOutputShape };
