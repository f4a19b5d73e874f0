import type { Endpoint, EventDelivery, ListedEvent } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { command } from '../command/command.ts';
import { addOptions, inputOf, type OptionRows } from '../command/options.ts';
import { withExample } from '../example.ts';
import { nameMissing, SUBJECTS } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

const stateOf = ({ disabled_reason: reason, failing_since: failing }: Endpoint): string => {
  if (reason !== null) return `disabled (${reason})`;
  return failing === null ? 'on' : 'failing';
};

/** One endpoint, one field per line. */
const endpointFields = [
  'endpoint_id',
  'url',
  'types',
  'covers',
  ['state', stateOf],
  ['made by', 'made_by'],
  ['missed', 'missed_count'],
  ['failing since', 'failing_since'],
  ['disabled', 'disabled_at'],
] as const;

const UPDATE_OPTIONS: OptionRows<'endpoints.update'> = {
  types: ['--type <type...>', 'the types of events that it gets from now on'],
};

/** `iv endpoints update` */
function addUpdateEndpoint(endpoints: Command): void {
  const update = withExample(endpoints.command('update'), 'iv endpoints update ep_… --enable');
  addOptions(update, 'endpoints.update', UPDATE_OPTIONS)
    .description('change the types of events that an endpoint gets, or disable and enable it')
    .argument('<endpoint_id>', SUBJECTS.endpoint_id.about)
    .option('--enable', 'it gets events again, from now on')
    .addOption(new Option('--disable', 'it gets no more events').conflicts('enable'))
    .action(async (id: string, { enable, disable }: { enable?: true; disable?: true }, typed: Command) => {
      const { client, terminal } = await connect(typed);
      const call = client.endpoints.update({
        endpoint_id: id,
        ...inputOf<'endpoints.update'>(typed, UPDATE_OPTIONS),
        ...(enable && { enabled: true }),
        ...(disable && { enabled: false }),
      });
      const endpoint = await nameMissing('endpoint_id', id, call);
      terminal.answer(
        endpoint,
        fields([
          ['endpoint_id', endpoint.endpoint_id],
          ['types', endpoint.types.join(' ')],
          ['state', stateOf(endpoint)],
          ['made by', endpoint.made_by],
          ['missed', endpoint.missed_count],
        ]),
      );
      if (enable && endpoint.missed_count > 0)
        terminal.say(`To have what it missed posted: iv endpoints recover ${endpoint.endpoint_id}`);
    });
}

/** `iv endpoints …` */
export const endpointCommands = [
  command('create', 'endpoints.create', {
    example: 'iv endpoints create https://billing.example/events --type request.answered request.failed',
    about: 'have events posted to an address; its secret is shown this once',
    options: {
      url: ['<url>', 'the address'],
      types: ['--type <type...>', 'the types of events that it gets'],
    },
    fields: ['secret', 'endpoint_id', 'url', 'types', 'covers'],
    say: () => 'The secret is shown this once: it verifies what is posted to this endpoint.',
  }),
  command('list', 'endpoints.list', {
    example: 'iv endpoints list',
    about: "list your account's endpoints, and since when one fails",
    columns: ['endpoint_id', ['state', stateOf], 'url', 'covers', 'failing_since', 'types'],
    none: 'No endpoints.',
  }),
  command('show', 'endpoints.get', {
    example: 'iv endpoints show ep_…',
    about: 'show an endpoint',
    of: 'endpoint_id',
    fields: endpointFields,
  }),
  addUpdateEndpoint,
  command('recover', 'endpoints.recover', {
    example: 'iv endpoints recover ep_… --since 2026-11-20T00:00:00Z --dry-run',
    about:
      'post the events that an endpoint missed while it was off, or all that it did not take since a time',
    of: 'endpoint_id',
    echoes: true,
    options: {
      since: ['--since <time>', 'all that it did not take since then, also those that were given up'],
      dry_run: ['--dry-run', 'only say how many it would post'],
    },
    fields: ['endpoint_id', ['posted', 'recovered_count'], ['left', 'missed_count']],
    say: ({ recovered_count: posted, missed_count: left }) =>
      posted > 0 && left > 0 ? 'There are more: run it again.' : '',
  }),
  command('end', 'endpoints.end', {
    example: 'iv endpoints end ep_…',
    about: 'end an endpoint for good: nothing more is posted to it',
    of: 'endpoint_id',
    fields: ['endpoint_id', 'url'],
  }),
  command('rotate', 'endpoints.rotate', {
    example: 'iv endpoints rotate ep_…',
    about: 'make a new secret; the one before signs too for 24 hours',
    of: 'endpoint_id',
    fields: ['current', 'previous', 'previous_valid_until'],
  }),
  command('test', 'endpoints.test', {
    example: 'iv endpoints test ep_…',
    about: 'post an event endpoint.test to an endpoint now',
    of: 'endpoint_id',
    fields: ['event_id'],
    say: () => 'How it ended: iv events list --subject <endpoint_id>',
  }),
];

const deliveryOf = ({ status, attempts }: EventDelivery): string => {
  const last = attempts.at(-1);
  return last === undefined ? status : `${status} (${last.status_code ?? last.outcome})`;
};

/** `iv events …` */
export const eventCommands = [
  command('list', 'events.list', {
    example: 'iv events list --after evt_…',
    about: 'list events of the last 30 days, oldest first, with how their deliveries to endpoints ended',
    options: {
      limit: ['--limit <count>', 'items at most, 1 to 100'],
      after: ['--after <event_id>', 'only events after this one'],
      type: ['--type <type>', 'only events of this type'],
      subject: ['--subject <id>', 'only events about this request, endpoint or account'],
      account_id: ['--account <account_id>', 'only events of this account'],
    },
    columns: [
      'id',
      'type',
      'number',
      ['subject', ({ data }: ListedEvent) => data.request_id ?? data.endpoint_id ?? data.key_id],
      ['occurred', 'occurred_at'],
      ['deliveries', ({ deliveries }: ListedEvent) => deliveries.map(deliveryOf).join(', ')],
      'account_id',
    ],
    none: 'No events.',
    say: ({ items, more }) => (more ? `There is more: add --after ${items.at(-1)?.id}` : ''),
  }),
];
