import type { SignInLink, StaffMember, VerifyWithin } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { command } from '../command/command.ts';
import { addOptions, type InputOf, inputOf, type OptionRows } from '../command/options.ts';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { type Cell, fields } from '../terminal/table.ts';
import { endpointsOf, sayEndpoints, SUCCESSOR } from './keys.ts';

const ADD_OPTIONS = {
  name: ['--name <name>', 'their name'],
  roles: ['--role <role...>', 'what they do; in an account viewer and requester only'],
  account_id: ['--account <account_id>', "the account they act for; the platform's when left out"],
} as const satisfies OptionRows<'staff.add'>;

/** `iv staff add`: adds a person, and shows the link for their first sign-in. */
function addAddStaff(staff: Command): void {
  const add = withExample(staff.command('add'), "iv staff add --name 'Ada Jones' --role verifier");
  addOptions(add, 'staff.add', ADD_OPTIONS)
    .description('add a person who signs in to the console; shows a link for the first time')
    .action(async (_options: object, typed: Command) => {
      const { client, terminal, url } = await connect(typed);
      const added = await client.staff.add(inputOf<'staff.add'>(typed, ADD_OPTIONS) as InputOf<'staff.add'>);
      terminal.answer(
        added,
        fields([
          ['staff_id', added.staff_id],
          ['name', added.name],
          ['roles', added.roles.join(' ')],
          ['account_id', added.account_id],
          ...linkFields(url, added.link),
        ]),
      );
      terminal.say(added.link ? SHOWN_ONCE : NO_CONSOLE);
    });
}

/** The person who signs in with the link of a start on this machine. */
const FIRST_PERSON = 'stf_00000000000000000000000000';

/** `iv console`: creates another link into the console for the first person. */
export function addConsole(program: Command): void {
  withExample(program.command('console'), 'iv console')
    .description('make a link that signs the first person of this machine in to the console once')
    .action((_options: object, typed: Command) => showLink(typed, FIRST_PERSON));
}

/** `iv staff invite`: creates another link or invitation, also for an admin who has lost every passkey. */
function addInvite(staff: Command): void {
  withExample(staff.command('invite'), 'iv staff invite stf_…')
    .description('make another link or invitation, with which a person signs in once')
    .argument('<staff_id>', 'whom')
    .action((staffId: string, _options: object, typed: Command) => showLink(typed, staffId));
}

/** Creates a one-time link of a person, and shows it. */
async function showLink(typed: Command, staff_id: string): Promise<void> {
  const { client, terminal, url } = await connect(typed);
  const linking = client.staff.link({ staff_id });
  const made = await nameMissing('staff_id', staff_id, linking, 'who may sign in');
  terminal.answer(made, fields(linkFields(url, made.link)));
  terminal.say(made.link ? SHOWN_ONCE : NO_CONSOLE);
}

/** A one-time link as a person opens it; `-` when the service has no console. */
function linkFields(url: string, link: SignInLink | null): [string, Cell][] {
  return [
    ['link', link && addressOf(url, link)],
    ['expires', link?.expires_at],
  ];
}

/** Where the service has no public address, a loopback one becomes localhost, the name that people use for it. */
function addressOf(url: string, link: SignInLink): string {
  if (link.url !== null) return link.url;
  return new URL(link.path, url.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'http://localhost'))
    .href;
}

const SHOWN_ONCE = 'The link works once, until it expires, and is shown this once.';

const NO_CONSOLE =
  'The service has no console to sign in to: it has one with SIGN_IN=passkeys or OIDC_ISSUER, and on loopback outside production.';

/** A person, one field per line. */
const memberFields = [
  'staff_id',
  'name',
  'roles',
  'account_id',
  ['allowed from', (member: StaffMember) => member.allowed_cidrs?.join(' ') ?? 'anywhere'],
  ['verifies', (member: StaffMember) => withinText(member.verify_within)],
  ['ended', 'ended_at'],
] as const;

/** The payers, channels and accounts that a verifier is limited to. */
function withinText(within: VerifyWithin | null): string {
  const lists = [within?.payer_ids, within?.channels, within?.account_ids].filter((kept) => kept != null);
  return lists.length === 0 ? 'everything' : lists.map((kept) => kept.join(' ')).join('; ');
}

/** `iv staff …` */
export const staffCommands = [
  addAddStaff,
  addInvite,
  command('list', 'staff.list', {
    example: 'iv staff list --limit 50',
    about: 'list everyone who signs in to the console, or did, newest first',
    columns: ['staff_id', 'name', 'roles', ['ended', 'ended_at'], 'account_id'],
    none: 'No people.',
  }),
  command('set-roles', 'staff.setRoles', {
    example: 'iv staff set-roles stf_… --role verifier operator',
    about: 'give a person these roles instead, from their next call on',
    of: 'staff_id',
    options: { roles: ['--role <role...>', 'all that they do from now on'] },
    fields: memberFields,
  }),
  command('end', 'staff.end', {
    example: 'iv staff end stf_…',
    about:
      'end what a person may do, with every session; the endpoints that they made are paused, or handed over',
    of: 'staff_id',
    options: { successor: SUCCESSOR },
    fields: [...memberFields, ['endpoints', endpointsOf]],
    say: sayEndpoints,
  }),
];

/** `iv sessions …` */
export const sessionCommands = [
  command('list', 'sessions.list', {
    example: 'iv sessions list',
    about: 'list who is signed in to the console, newest first',
    columns: ['session_id', 'name', ['last_used', 'last_used_at'], ['ends', 'ends_at'], 'staff_id'],
    none: 'No one is signed in.',
  }),
  command('end', 'sessions.end', {
    example: 'iv sessions end ses_…',
    about: 'sign a person out, in every process at once',
    of: 'session_id',
    fields: ['session_id', 'status'],
  }),
  command('break-glass', 'sessions.breakGlass', {
    example: "iv sessions break-glass ses_… --reason 'The verifiers are out; a patient waits.'",
    about: "give an operator's session emergency access for an hour",
    of: 'session_id',
    kind: 'of an operator',
    options: { reason: ['--reason <text>', 'why, in 10 to 500 characters; readers of the audit see it'] },
    fields: ['session_id', 'begun_at', 'ends_at'],
  }),
];
