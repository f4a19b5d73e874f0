import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';

/** Longer than any reason needs to be. */
const REASON_LENGTH_MAX = 500;

/** Nothing of a request, or of any request of an account, is erased while its legal hold is in force. */
export const LegalHold = model('LegalHold', 'While it is in force, nothing that it covers is erased.', {
  hold_id: z.string().meta({ description: 'The id of the hold.' }),
  request_id: z.string().nullable().meta({
    description: 'The request that it covers; null where it covers all of its account.',
  }),
  account_id: z.string().meta({ description: 'The account, or that of the request.' }),
  account_name: z.string().meta({ description: 'The name of that account.' }),
  reason: z.string().nullable().meta({ description: 'Why; null once the data of its request was erased.' }),
  placed_by: z.string().meta({ description: 'The key or person that placed it.' }),
  placed_by_name: z
    .string()
    .nullable()
    .meta({ description: 'Its present name; null for a key without one.' }),
  placed_at: dateTime().meta({ description: 'Since when.' }),
  ended_by: z.string().nullable().meta({ description: 'The key or person that ended it; null before.' }),
  ended_at: dateTime().nullable().meta({ description: 'Until when; null while it is in force.' }),
});
export type LegalHold = z.infer<typeof LegalHold>;

/** One page of holds, the newest first (`holds.list`). */
export const LegalHoldList = model('LegalHoldList', 'One page of legal holds, newest first.', {
  items: list(LegalHold).meta({ description: 'Holds, newest first, also those that were ended.' }),
  next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }),
});
export type LegalHoldList = z.infer<typeof LegalHoldList>;

/** A hold in force, for callers who see what it covers (`requests.view`). */
export const StandingHold = model('StandingHold', 'A legal hold in force.', {
  hold_id: z.string().meta({ description: 'The id of the hold.' }),
  covers: z.enum(['request', 'account']).meta({ description: 'What it covers.' }),
  placed_at: dateTime().meta({ description: 'Since when.' }),
});
export type StandingHold = z.infer<typeof StandingHold>;

/** The body that places a hold (`holds.place`). One of the two ids. */
export const PlaceHold = model('PlaceHold', 'Places a legal hold on a request or on an account.', {
  request_id: z.string().optional().meta({ description: 'The request; absent for an account.' }),
  account_id: z.string().optional().meta({ description: 'The account; absent for a request.' }),
  reason: z.string().min(1).max(REASON_LENGTH_MAX).meta({
    description: 'Why: the matter and who asked. It is encrypted, as a patient’s data is.',
  }),
});
export type PlaceHold = z.infer<typeof PlaceHold>;
