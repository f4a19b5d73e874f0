import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';
import { StandingHold } from '../../retention/legal-hold.ts';

/**
 * The shortest retention. The `Idempotency-Key` of a request is remembered for 48 hours: a repeat is never a question
 * about data that is gone.
 */
const DAYS_MIN = 3;

/** The longest retention, ten years: what the law asks anybody to keep is shorter. */
const DAYS_MAX = 3_650;

const days = () => z.int().min(DAYS_MIN).max(DAYS_MAX);

/** A change of an account's retention. */
export const RetentionChange = model('RetentionChange', "A change of an account's retention.", {
  changed_at: dateTime().meta({ description: 'When it was changed.' }),
  changed_by: z
    .string()
    .meta({ description: 'The key or person that changed it, or confirmed a shorter one.' }),
  asked_by: z.string().nullable().meta({
    description: 'The key or person that asked for a shorter one; null for a longer one.',
  }),
  days_before: wholeNumber().nullable().meta({ description: 'The days before; null: kept.' }),
  days_after: wholeNumber().nullable().meta({ description: 'The days from then on; null: kept.' }),
});
/** {@link RetentionChange} as a type. */
export type RetentionChange = z.infer<typeof RetentionChange>;

/** A shorter retention that waits for a second person. */
export const AskedRetention = model('AskedRetention', 'A shorter retention that waits for a second person.', {
  retention_days: wholeNumber().meta({ description: 'The days that were asked for.' }),
  asked_by: z.string().meta({ description: 'The key or person that asked.' }),
  asked_by_name: z.string().nullable().meta({ description: 'Its present name; null for a key without one.' }),
  asked_at: dateTime().meta({ description: 'When.' }),
  lapses_at: dateTime().meta({ description: 'Until when it can be confirmed, 7 days.' }),
});
/** {@link AskedRetention} as a type. */
export type AskedRetention = z.infer<typeof AskedRetention>;

/** How long an account's requests keep their data (`accounts.retention`). */
export const AccountRetention = model('AccountRetention', "How long an account's requests keep their data.", {
  account_id: z.string().meta({ description: 'The id of the account.' }),
  retention_days: wholeNumber().nullable().meta({
    description: 'Days from the end of a request to the erasure of its data; null: the data is kept.',
  }),
  erases_from: dateTime().nullable().meta({
    description:
      'Nothing is erased before: a day after the retention was shortened. Null when nothing holds it up.',
  }),
  would_erase: wholeNumber().meta({
    description:
      'Finished requests that have been finished for longer, and so lose their data, with the days that were asked about, by default those that are set.',
  }),
  more: z
    .boolean()
    .meta({ description: 'Whether there are more than were counted: counting ends at 10,000.' }),
  asked: AskedRetention.nullable().meta({
    description: 'The shorter retention that waits for a second person; null for none.',
  }),
  holds: list(StandingHold).meta({
    description: 'The legal holds on the whole account: while one is in force, nothing of it is erased.',
  }),
  changes: list(RetentionChange).meta({ description: 'The last 20 changes, newest first.' }),
});
/** {@link AccountRetention} as a type. */
export type AccountRetention = z.infer<typeof AccountRetention>;

/** What to say of an account's retention (`accounts.retention`). */
export const AskAccountRetention = model('AskAccountRetention', 'Which days to count for.', {
  days: days()
    .optional()
    .meta({
      description: `Count what so many days would erase, ${DAYS_MIN} to ${DAYS_MAX}; absent: what those that are set erase.`,
    }),
});
/** {@link AskAccountRetention} as a type. */
export type AskAccountRetention = z.infer<typeof AskAccountRetention>;

/** The body that sets an account's retention (`accounts.setRetention`). */
export const SetAccountRetention = model('SetAccountRetention', "Sets an account's retention.", {
  retention_days: days()
    .nullable()
    .meta({
      description: `Days from the end of a request to the erasure of its data, ${DAYS_MIN} to ${DAYS_MAX}; null keeps it.`,
    }),
});
/** {@link SetAccountRetention} as a type. */
export type SetAccountRetention = z.infer<typeof SetAccountRetention>;

/** The body that confirms a shorter retention (`accounts.confirmRetention`). */
export const ConfirmRetention = model('ConfirmRetention', 'Confirms a shorter retention.', {
  retention_days: days().meta({
    description: `The days that were asked for, ${DAYS_MIN} to ${DAYS_MAX}: those that you saw, and no others.`,
  }),
});
/** {@link ConfirmRetention} as a type. */
export type ConfirmRetention = z.infer<typeof ConfirmRetention>;
