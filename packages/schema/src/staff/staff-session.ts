import * as z from 'zod';
import { Scope } from '../access/scope.ts';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { nextCursorField } from '../page/page-fields.ts';
import { StaffRole } from './staff-role.ts';

const idleEndsAt = () => dateTime().meta({ description: 'When it ends unless it is used before.' });
const endsAt = () => dateTime().meta({ description: 'When it ends however much it is used.' });

/** A live session (`sessions.list`). */
export const StaffSession = model('StaffSession', 'A session of a person.', {
  session_id: z.string().meta({ description: 'The id of the session; not secret.' }),
  staff_id: z.string().meta({ description: 'Whose it is.' }),
  name: z.string().meta({ description: "The person's name." }),
  signed_in_at: dateTime().meta({ description: 'When it began.' }),
  last_used_at: dateTime().meta({ description: 'When it was last used, to ten seconds.' }),
  idle_ends_at: idleEndsAt(),
  ends_at: endsAt(),
  way: z.enum(['link', 'provider', 'passkey']).meta({ description: 'How the person signed in.' }),
  device: z.string().nullable().meta({
    description: 'The browser and system it was begun with, in words; null when unknown.',
  }),
});
/** {@link StaffSession} as a type. */
export type StaffSession = z.infer<typeof StaffSession>;

/** One page of sessions. */
export const StaffSessionList = model('StaffSessionList', 'One page of sessions.', {
  items: list(StaffSession).meta({ description: 'The sessions under way, newest first.' }),
  next_cursor: nextCursorField(),
});
/** {@link StaffSessionList} as a type. */
export type StaffSessionList = z.infer<typeof StaffSessionList>;

/** The caller (`sessions.me`): a signed-in person, or a key. */
export const Myself = model('Myself', 'Who asks: a person who is signed in, or a key.', {
  id: z.string().meta({ description: 'As the audit names the caller: stf_… for a person, key_… for a key.' }),
  name: z.string().nullable().meta({ description: "The person's name; null for a key." }),
  roles: list(StaffRole).meta({ description: 'What the person does; empty for a key.' }),
  scopes: list(Scope).meta({ description: 'What the caller may do.' }),
  read_scopes: list(Scope).meta({ description: 'What it may do besides, where nothing is changed.' }),
  account_id: z.string().meta({ description: 'The account that it acts for.' }),
  session: model('MySession', 'The session that asks.', {
    session_id: z.string().meta({ description: 'The id of the session; not secret.' }),
    account_name: z.string().meta({ description: 'The name of the account that the person acts for.' }),
    may_switch: z.boolean().meta({
      description:
        'Whether the person may act for other accounts, each named by the header `Account-Id`; false for people of one account.',
    }),
    idle_ends_at: idleEndsAt(),
    ends_at: endsAt(),
    fresh_until: dateTime().nullable().meta({
      description: 'Until when it counts as fresh, for what makes or ends access; null when unknown.',
    }),
    emergency_until: dateTime().nullable().meta({
      description: 'Until when it has emergency access; null without it.',
    }),
  })
    .nullable()
    .meta({ description: 'The session that asks; null for a key.' }),
});
/** {@link Myself} as a type. */
export type Myself = z.infer<typeof Myself>;

/** The body that begins emergency access (`sessions.breakGlass`). */
export const BreakGlass = model('BreakGlass', 'Begins an hour of emergency access.', {
  reason: z.string().trim().min(10).max(500).meta({
    description: 'Why, in 10 to 500 characters: sealed, and shown to those who read the audit.',
  }),
});
/** {@link BreakGlass} as a type. */
export type BreakGlass = z.infer<typeof BreakGlass>;

/** An hour of emergency access (`sessions.breakGlass`). */
export const EmergencyAccess = model('EmergencyAccess', 'An hour of emergency access.', {
  session_id: z.string().meta({ description: 'The session that has it.' }),
  begun_at: dateTime().meta({ description: 'When it began.' }),
  ends_at: dateTime().meta({ description: 'When it ends, unless the session ends before.' }),
});
/** {@link EmergencyAccess} as a type. */
export type EmergencyAccess = z.infer<typeof EmergencyAccess>;

/** Names a session (`sessions.end`). */
export const SessionRef = model('SessionRef', 'Names a session.', {
  session_id: z.string().meta({ description: 'The id of the session.' }),
});
/** {@link SessionRef} as a type. */
export type SessionRef = z.infer<typeof SessionRef>;

/** A session that was ended (`sessions.end`). */
export const EndedSession = model('EndedSession', 'A session that was ended.', {
  ...SessionRef.shape,
  status: z.literal('ended').meta({ description: 'It has ended.' }),
});
/** {@link EndedSession} as a type. */
export type EndedSession = z.infer<typeof EndedSession>;
