import * as z from 'zod';
import { allowedCidrs } from '../access/allowed-cidrs.ts';
import { VerifyWithin } from '../access/verify-within.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { StaffRole } from './staff-role.ts';

const roles = () => list(StaffRole).min(1);

/** What roles are bounded by; `absent` says what it means to leave one out. */
const bounds = (absent: string) => ({
  allowed_cidrs: allowedCidrs()
    .nullable()
    .optional()
    .meta({
      description: `The only networks they work from, for a person of the platform; null: anywhere; absent: ${absent}.`,
    }),
  verify_within: VerifyWithin.nullable()
    .optional()
    .meta({ description: `What they are kept to as a verifier; null: nothing; absent: ${absent}.` }),
});

/** The body that adds a person (`staff.add`). */
export const AddStaff = model('AddStaff', 'Adds a person who signs in.', {
  name: z.string().min(1).max(200).meta({ description: 'Their name, 1 to 200 characters.' }),
  roles: roles().meta({
    description: 'What they do; for a person of an account viewer and requester only.',
  }),
  account_id: z.string().nullable().default(null).meta({
    description: "The account they act for; null, or left out, for the platform's people.",
  }),
  ...bounds('the same'),
});
/** {@link AddStaff} as a type, after the default is filled in. */
export type AddStaff = z.infer<typeof AddStaff>;

/** The body that gives a person other roles (`staff.setRoles`). */
export const SetStaffRoles = model('SetStaffRoles', 'Gives a person these roles instead.', {
  roles: roles().meta({ description: 'All that they do from now on.' }),
  ...bounds('as it was'),
});
/** {@link SetStaffRoles} as a type. */
export type SetStaffRoles = z.infer<typeof SetStaffRoles>;

/** Names a person. */
export const StaffRef = model('StaffRef', 'Names a person.', {
  staff_id: z.string().meta({ description: 'The id of the person.' }),
});
/** {@link StaffRef} as a type. */
export type StaffRef = z.infer<typeof StaffRef>;
