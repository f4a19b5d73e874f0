import * as z from 'zod';
import { VerifyWithin } from '../access/verify-within.ts';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { nextCursorField } from '../page/page-fields.ts';
import { StaffRole } from './staff-role.ts';

const staffMemberShape = {
  staff_id: z.string().meta({ description: 'The id of the person; the audit names it as key_id.' }),
  name: z.string().meta({ description: 'Their name.' }),
  account_id: z
    .string()
    .nullable()
    .meta({ description: "The account they act for; null for the platform's people." }),
  account_name: z.string().nullable().meta({ description: 'The name of that account; null without one.' }),
  roles: list(StaffRole).meta({ description: 'What they do.' }),
  allowed_cidrs: list(z.string()).nullable().meta({
    description: 'The only networks they work from; null when they work from anywhere.',
  }),
  verify_within: VerifyWithin.nullable().meta({
    description: 'What they are kept to as a verifier; null when to nothing.',
  }),
  created_at: dateTime().meta({ description: 'When they were added.' }),
  ended_at: dateTime()
    .nullable()
    .meta({ description: 'Since when they may do nothing; null while they may.' }),
};

/** A person who signs in (`staff.list`). */
export const StaffMember = model('StaffMember', 'A person who signs in.', staffMemberShape);
/** {@link StaffMember} as a type. */
export type StaffMember = z.infer<typeof StaffMember>;

/** A one-time link: whoever opens it first is signed in, or with an identity provider, invited to sign in there. */
export const SignInLink = model('SignInLink', 'A link that signs a person in once, or invites them to.', {
  path: z.string().meta({
    description:
      'The path on the service, with the secret in the fragment, so that no server log has it. Shown once.',
  }),
  expires_at: dateTime().meta({ description: 'When it stops working, used or not.' }),
});
/** {@link SignInLink} as a type. */
export type SignInLink = z.infer<typeof SignInLink>;

/** A new one-time link, with the person it is for (`staff.link`). */
export const StaffLink = model('StaffLink', 'A new one-time link of a person.', {
  staff_id: z.string().meta({ description: 'The id of the person.' }),
  link: SignInLink.nullable().meta({
    description: 'The link; null where the service has no console to sign in to.',
  }),
});
/** {@link StaffLink} as a type. */
export type StaffLink = z.infer<typeof StaffLink>;

/** A person who was just added, with a first link (`staff.add`). */
export const AddedStaff = model('AddedStaff', 'A person who was just added, with a one-time link.', {
  ...staffMemberShape,
  link: StaffLink.shape.link,
});
/** {@link AddedStaff} as a type. */
export type AddedStaff = z.infer<typeof AddedStaff>;

/** One page of people. */
export const StaffList = model('StaffList', 'One page of people who sign in.', {
  items: list(StaffMember).meta({ description: 'The people, those who have left too, newest first.' }),
  next_cursor: nextCursorField(),
});
/** {@link StaffList} as a type. */
export type StaffList = z.infer<typeof StaffList>;
