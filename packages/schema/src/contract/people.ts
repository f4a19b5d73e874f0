import { ListPage } from '../page/list-page.ts';
import { AddStaff, SetStaffRoles, StaffRef } from '../staff/add-staff.ts';
import { AddedStaff, StaffLink, StaffList, StaffMember } from '../staff/staff-member.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleLink, exampleStaff } from './examples/staff.ts';
import { operation } from './operation.ts';

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
      'Adds a person who signs in to the console, and makes a link for the first time: it works once, within 30 minutes, or as an invitation to the identity provider within a week. People of an account read its requests (`viewer`) and make them (`requester`); every other role acts across accounts, and is of the platform.',
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
    description: 'Pages through everyone who signs in to the console, those who have left among them.',
    limit: 'reads',
    input: ListPage,
    output: StaffList,
    example: { limit: 20, cursor: EXAMPLE_IDS.staff },
    answers: { page: { items: [exampleStaff], next_cursor: null } },
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
      'Gives a person these roles instead of those they have, and other bounds where the body names some: networks, and what a verifier is kept to. They hold from the next call on, in every session. Nobody takes `admin` from themselves, and nobody gives themselves a role, or takes a bound from one, where there is another administrator to do it.',
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
    summary: 'Make a sign-in link',
    description:
      'Makes a link that signs the person in once, within 30 minutes; where an identity provider signs people in, it invites them for a week instead. Its secret is only in this answer; only a keyed hash is stored. Links made before keep their time.',
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
      'Ends what a person may do for good, with each of their sessions and unused links, in every process at once. Leases that they hold end by themselves. The audit continues to name them. You cannot end your own access.',
    problems: ['not_found', 'locks_caller_out'],
    changes: ['access', 'session'],
    params: StaffRef,
    output: StaffMember,
    answers: { ended: { ...exampleStaff, ended_at: '2026-11-20T12:00:00.000Z' } },
  }),
});
