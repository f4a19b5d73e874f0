import type { HeldComparison, HeldOutputDetail } from '@insurance-verification/schema';
import { command } from '../command/command.ts';
import { planLines } from '../terminal/plan-table.ts';
import { type Block, fields, table } from '../terminal/table.ts';

/** The service's limit for one call. */
const LIMIT_MAX = 10_000;

/** `iv held …` */
export const heldCommands = [
  command('list', 'heldOutputs.list', {
    example: 'iv held list --reason superseding --limit 50',
    about: 'list the outputs that wait, newest first',
    options: {
      reason: ['--reason <reason>', 'only those held for this reason'],
      since: ['--since <time>', 'only those received then or later'],
      until: ['--until <time>', 'only those received before'],
    },
    columns: ['held_id', 'reason', 'request_id', ['received', 'received_at']],
    none: 'Nothing is held.',
  }),
  command('show', 'heldOutputs.get', {
    example: 'iv held show held_…',
    about: 'show one held output and its content',
    of: 'held_id',
    blocks: detailLines,
  }),
  command('compare', 'heldOutputs.compare', {
    example: 'iv held compare held_… --with req_…',
    about: 'show how a held output differs from the request and from its latest result',
    of: 'held_id',
    options: { request_id: ['--with <request_id>', 'another request than the one that it names'] },
    blocks: comparisonLines,
  }),
  command('apply', 'heldOutputs.apply', {
    example: 'iv held apply held_… --request req_…',
    about: 'apply a held output; on a finished request it is a correction, and delivered',
    of: 'held_id',
    echoes: true,
    options: {
      request_id: ['--request <request_id>', 'the request to apply it to; the one it names when left out'],
    },
    fields: ['held_id', 'status', 'version'],
  }),
  command('dismiss', 'heldOutputs.dismiss', {
    example: 'iv held dismiss held_… --note "sent twice"',
    about: 'end a held output without applying it',
    of: 'held_id',
    echoes: true,
    options: { note: ['--note <text>', 'why, for the next operator'] },
    fields: ['held_id', 'status'],
  }),
  command('dismiss-many', 'heldOutputs.dismissMany', {
    example: 'iv held dismiss-many --reason untrusted --note "a flood"',
    about: 'end all held outputs of a reason without applying them, the oldest first',
    options: {
      reason: ['--reason <reason>', 'only those held for this reason'],
      received_before: ['--before <time>', 'only those received before then; before now when left out'],
      request_id: ['--request <request_id>', 'only those that name this request'],
      limit: ['--limit <count>', 'so many at most, 1 to 10,000', LIMIT_MAX],
      note: ['--note <text>', 'why, for the next operator'],
    },
    fields: ['dismissed'],
    say: ({ more }) => (more ? 'There are more: run it again.' : ''),
  }),
];

function detailLines({ output, ...held }: HeldOutputDetail): Block[] {
  const { request, insurance_data: plans } = output;
  const { patient_info: patient, payer_info: payer, provider_info: provider } = request.input;
  return [
    ...fields([
      ['held_id', held.held_id],
      ['status', held.status],
      ['reason', held.reason],
      ['received', held.received_at],
      ['request_id', held.request_id],
      ['note', held.note],
      ['says request_id', request.request_id],
      ['says state', request.state],
      ['says error_reason', request.error_reason],
      ['says payer', payer.name],
      ['says subscriber_id', patient.subscriber_id],
      ['says dob', patient.dob],
      ['says patient', patient.name],
      ['says npi', provider.npi],
    ]),
    ...planLines(plans),
  ];
}

function comparisonLines({ held, request, sentence, values, receiver }: HeldComparison): Block[] {
  const differing = values.filter(
    ({ asked_difference: asked, standing_difference: standing }) => asked !== 'none' || standing !== 'none',
  );
  return [
    ...fields([
      ['held_id', held.held_id],
      ['status', held.status],
      ['compared with', request?.request_id],
      ['why', sentence],
      ['webhook to', receiver && `${receiver.account_name} at ${receiver.host}`],
    ]),
    ...table(
      ['value', 'offered', 'asked', 'from asked', 'standing', 'from standing'],
      differing.map((value) => [
        value.name,
        value.offered,
        value.asked,
        described(value.asked_difference, value.asked_places),
        value.standing,
        described(value.standing_difference, value.standing_places),
      ]),
    ),
  ];
}

/** With the letters and digits that differ, counted from 1 without spaces and signs. */
const described = (difference: string, places: readonly number[]): string =>
  places.length === 0 ? difference : `${difference} at ${places.join(', ')}`;
