import * as z from 'zod';
import { allowedCidrs, VerifyWithin } from '../access/scope.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { ListPage, nextCursorField } from '../page.ts';
import { StaffRole } from '../staff-role.ts';
import { endedEndpoints, successorField } from './endpoints.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

const roles = () => list(StaffRole).min(1);

/** The limits of roles; `absent` describes what a missing one means. */
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
export type SetStaffRoles = z.infer<typeof SetStaffRoles>;

/** Names a person. */
export const StaffRef = model('StaffRef', 'Names a person.', {
  staff_id: z.string().meta({ description: 'The id of the person.' }),
});
export type StaffRef = z.infer<typeof StaffRef>;

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
  endpoint_ids: list(z.string()).meta({
    description:
      'The endpoints that they made or took over, which are paused when their access is ended without a successor.',
  }),
};

/** A person who signs in (`staff.list`). */
export const StaffMember = model('StaffMember', 'A person who signs in.', staffMemberShape);
export type StaffMember = z.infer<typeof StaffMember>;

/** A person whose access was ended, with the endpoints that they had made (`staff.end`). */
export const EndedStaffMember = model('EndedStaffMember', 'A person whose access was ended.', {
  ...staffMemberShape,
  endpoints: endedEndpoints(),
});
export type EndedStaffMember = z.infer<typeof EndedStaffMember>;

/** The body that ends a person's access (`staff.end`). */
export const EndStaff = model('EndStaff', 'Ends a person’s access.', { successor: successorField() });
export type EndStaff = z.infer<typeof EndStaff>;

/** A one-time link: the first to use it is signed in, or invited to make a passkey or to sign in at the provider. */
export const SignInLink = model('SignInLink', 'A link that signs a person in once, or invites them to.', {
  path: z.string().meta({
    description:
      'The path on the service, with the secret in the fragment, so that no server log has it. Shown once.',
  }),
  url: z.string().nullable().meta({
    description: 'The whole address, under the public one; null where the service has none.',
  }),
  expires_at: dateTime().meta({ description: 'When it stops working, used or not.' }),
});
export type SignInLink = z.infer<typeof SignInLink>;

/** A new one-time link, with the person it is for (`staff.link`). */
export const StaffLink = model('StaffLink', 'A new one-time link of a person.', {
  staff_id: z.string().meta({ description: 'The id of the person.' }),
  link: SignInLink.nullable().meta({
    description: 'The link; null where the service has no console to sign in to.',
  }),
});
export type StaffLink = z.infer<typeof StaffLink>;

/** A person who was just added, with a first link (`staff.add`). */
export const AddedStaff = model('AddedStaff', 'A person who was just added, with a one-time link.', {
  ...staffMemberShape,
  link: StaffLink.shape.link,
});
export type AddedStaff = z.infer<typeof AddedStaff>;

/** A person in a list, with how they may come in (`staff.list`). */
export const ListedStaffMember = model('ListedStaffMember', 'A person, and how they come in.', {
  ...staffMemberShape,
  invited_until: dateTime().nullable().meta({
    description: 'Until when an unused link or invitation of theirs works; null without one.',
  }),
  passkey_count: wholeNumber().meta({ description: 'How many passkeys sign them in.' }),
  last_seen_at: dateTime().nullable().meta({
    description:
      'When they last used the console; once that session is over, when they last signed in with a passkey or a provider. Null: never, or not known.',
  }),
});
export type ListedStaffMember = z.infer<typeof ListedStaffMember>;

/** One page of people. */
export const StaffList = model('StaffList', 'One page of people who sign in.', {
  items: list(ListedStaffMember).meta({ description: 'The people, those who have left too, newest first.' }),
  next_cursor: nextCursorField(),
});
export type StaffList = z.infer<typeof StaffList>;

/** Someone of the platform who verifies by phone and portal. */
export const exampleStaff: StaffMember = {
  staff_id: EXAMPLE_IDS.staff,
  name: 'Ada Jones',
  account_id: null,
  account_name: null,
  roles: ['verifier'],
  allowed_cidrs: null,
  verify_within: { payer_ids: null, channels: ['manual_phone_call'], account_ids: null },
  created_at: '2026-11-02T08:10:00.000Z',
  ended_at: null,
  endpoint_ids: [],
};

const exampleLink: StaffLink['link'] = {
  path: '/console/sign-in#6Tf…', // not in the issued form
  url: 'https://verify.example.com/console/sign-in#6Tf…',
  expires_at: '2026-11-20T10:30:00.000Z',
};

/** The operations of `staff`. */
export const staffOperations = () => ({
  // A second add creates a second person.
  add: operation('staff.add', {
    post: '/staff',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: false,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Add a person',
    description:
      'Adds a person who signs in to the console and returns their first link: it works once, within 30 minutes; as an invitation to make a passkey within 72 hours, to the identity provider within a week. In an account, a `viewer` reads its requests and a `requester` creates them. All other roles act on every account and need the platform account.',
    changes: ['access'],
    input: AddStaff,
    output: AddedStaff,
    example: { name: exampleStaff.name, roles: exampleStaff.roles, account_id: null },
    answers: { added: { ...exampleStaff, link: exampleLink } },
  }),

  list: operation('staff.list', {
    get: '/staff',
    scopes: ['admin'],
    audience: ['operator'],
    tag: 'Access',
    summary: 'List people, newest first',
    description: 'Returns a page of the people who sign in to the console, including those who have left.',
    limit: 'reads',
    input: ListPage,
    output: StaffList,
    example: { limit: 20, cursor: EXAMPLE_IDS.staff },
    answers: {
      page: {
        items: [
          {
            ...exampleStaff,
            invited_until: null,
            passkey_count: 2,
            last_seen_at: '2026-11-20T09:58:00.000Z',
          },
        ],
        next_cursor: null,
      },
    },
  }),

  setRoles: operation('staff.setRoles', {
    post: '/staff/{staff_id}/roles',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: "Set a person's roles",
    description:
      'Replaces the roles of a person, and their bounds if the body names any: networks, and limits on a verifier’s work. The change takes effect with the next call, in every session. You cannot remove your own `admin`, and you cannot extend your own access while another administrator is available.',
    problems: ['not_found', 'locks_caller_out', 'another_admin_required'],
    changes: ['access', 'session'],
    params: StaffRef,
    input: SetStaffRoles,
    output: StaffMember,
    example: { roles: ['verifier', 'operator'] },
    answers: { set: { ...exampleStaff, roles: ['verifier', 'operator'] } },
  }),

  // A second call creates a second link.
  link: operation('staff.link', {
    post: '/staff/{staff_id}/link',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: false,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'Create a sign-in link',
    description:
      'Creates a link that signs the person in once, within 30 minutes. Where people sign in with passkeys, it is an invitation to make one, for 72 hours; with an identity provider, an invitation to sign in there, for a week. Its secret is only in this answer; the service stores a keyed hash. Earlier links keep their time.',
    problems: ['not_found'],
    changes: [],
    params: StaffRef,
    output: StaffLink,
    answers: { made: { staff_id: EXAMPLE_IDS.staff, link: exampleLink } },
  }),

  end: operation('staff.end', {
    post: '/staff/{staff_id}/end',
    scopes: ['admin'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Access',
    summary: 'End a person’s access',
    description:
      'Ends a person’s access for good, with all their sessions and unused links, in every process at once. Their leases go back, and their call-backs are open to every verifier. The endpoints that they made are paused until somebody of the account enables them; with a `successor` they continue without a gap. The audit keeps their name. You cannot end your own access.',
    problems: ['not_found', 'locks_caller_out'],
    changes: ['access', 'session', 'delivery', 'work'],
    params: StaffRef,
    input: EndStaff,
    output: EndedStaffMember,
    example: { successor: EXAMPLE_IDS.key },
    answers: { ended: { ...exampleStaff, ended_at: '2026-11-20T12:00:00.000Z', endpoints: [] } },
  }),
});
