import type { ApiKey, Endpoint, WebhookSecret } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { command } from '../command/command.ts';
import { addOptions, type InputOf, inputOf, type OptionRows } from '../command/options.ts';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';
import { addFirstKey } from './first-key.ts';

const CREATE_OPTIONS = {
  account_id: ['--account <account_id>', 'the account it acts for; `iv accounts list` shows them'],
  scopes: [
    '--scope <scope...>',
    'what it may do; on a provider account requests and secrets only',
    ['requests'],
  ],
  name: ['--name <name>', 'a name, for people'],
  expires_at: [
    '--expires <time>',
    'when it stops working, such as 2027-01-01T00:00:00Z; in a year when left out',
  ],
  allowed_cidrs: ['--allow-from <cidr...>', 'the only networks it works from; anywhere when left out'],
} as const satisfies OptionRows<'keys.create'>;

/** `iv keys create`: the only command that ever shows the key's text. */
function addCreateKey(keys: Command): void {
  const create = withExample(
    keys.command('create'),
    'iv keys create --account acct_… --scope requests --name billing',
  );
  addOptions(create, 'keys.create', CREATE_OPTIONS)
    .description('make an API key; its text is shown this once')
    .addOption(new Option('--never-expires', 'it works until it is revoked').conflicts('expires'))
    .action(async ({ neverExpires }: { readonly neverExpires?: true }, typed: Command) => {
      const { client, terminal } = await connect(typed);
      const created = await client.keys.create({
        ...(inputOf<'keys.create'>(typed, CREATE_OPTIONS) as InputOf<'keys.create'>),
        ...(neverExpires && { expires_at: null }),
      });
      terminal.answer(
        created,
        fields([
          ['key', created.key],
          ['key_id', created.key_id],
          ['account_id', created.account_id],
          ['scopes', created.scopes.join(' ')],
          ['name', created.name],
          ['expires', created.expires_at],
          ['allowed from', created.allowed_cidrs?.join(' ') ?? 'anywhere'],
        ]),
      );
      terminal.say('The key is shown this once; only a hash of it is kept.');
    });
}

function statusOf({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'live';
}

/** The option that names who takes the endpoints over. */
export const SUCCESSOR = [
  '--successor <id>',
  'a live key or person of the same account that takes its endpoints over; paused when left out',
] as const;

interface Ended {
  readonly endpoints: readonly Endpoint[];
}

/** The endpoints of a key or person that was ended, each with what became of it. */
export const endpointsOf = ({ endpoints }: Ended): string | null =>
  endpoints
    .map(({ endpoint_id: id, made_by: by, disabled_reason: reason }) =>
      reason === null ? `${id} (of ${by ?? 'its account'})` : `${id} (disabled: ${reason})`,
    )
    .join(', ') || null;

/** Says how to take over the endpoints that are paused. */
export const sayEndpoints = ({ endpoints }: Ended): string =>
  endpoints.some(({ disabled_reason: reason }) => reason === 'maker_ended')
    ? 'Paused until somebody of the account takes them over: iv endpoints update <endpoint_id> --enable'
    : '';

/** `iv keys …` */
export const keyCommands = [
  addCreateKey,
  command('list', 'keys.list', {
    example: 'iv keys list --limit 50',
    about: "list every account's API keys, newest first, revoked ones too",
    columns: [
      'key_id',
      ['status', statusOf],
      'name',
      'scopes',
      ['last_used', 'last_used_at'],
      'account_id',
      'prefix',
    ],
    none: 'No API keys.',
  }),
  command('revoke', 'keys.revoke', {
    example: 'iv keys revoke key_…',
    about: 'end an API key; the endpoints that it made are paused, or handed to a successor',
    of: 'key_id',
    options: { successor: SUCCESSOR },
    fields: ['key_id', 'prefix', 'name', ['revoked', 'revoked_at'], ['endpoints', endpointsOf]],
    say: sayEndpoints,
  }),
  addFirstKey,
];

/** The account's webhook secrets, in clear: the person asked for them. */
const secretFields: readonly (keyof WebhookSecret)[] = ['current', 'previous', 'previous_valid_until'];

/** `iv secret …` */
export const secretCommands = [
  command('show', 'webhookSecret.get', {
    example: 'iv secret show',
    about: 'show the secret to verify your webhooks with',
    fields: secretFields,
  }),
  command('rotate', 'webhookSecret.rotate', {
    example: 'iv secret rotate',
    about: 'make a new secret; the one before signs too for 24 hours',
    fields: secretFields,
    say: ({ previous_valid_until: until }) =>
      `The one before signs until ${until}: give receivers the new one by then.`,
  }),
];
