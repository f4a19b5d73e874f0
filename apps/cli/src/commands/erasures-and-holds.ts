import type { Erasure, LegalHold } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { command } from '../command/command.ts';
import { readPage } from '../command/page.ts';
import { withExample } from '../example.ts';
import { CommandFailedError, nameMissing, WrongUsageError } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields, table } from '../terminal/table.ts';

/** An erasure in words; once it is done, its effects and the copies that are still there. */
export function erasureFields(erasure: Erasure): Block[] {
  const { certificate } = erasure;
  return [
    ...fields([
      ['erasure_id', erasure.erasure_id],
      ['request_id', erasure.request_id],
      ['account_id', erasure.account_id],
      ['reason', erasure.reason],
      ['asked', `${erasure.asked_at} by ${erasure.asked_by}`],
      ['to confirm until', erasure.lapses_at],
      ['erased', erasure.erased_at && `${erasure.erased_at}, confirmed by ${erasure.confirmed_by}`],
    ]),
    ...(certificate
      ? [
          '',
          ...fields(Object.entries(certificate.erased).map(([name, count]) => [name, String(count)])),
          '',
          ...table(
            ['STILL THERE', 'WHICH', 'UNTIL', 'ENDS'],
            certificate.copies.map(({ kind, name, until, ends }) => [kind, name, until, ends]),
          ),
        ]
      : []),
  ];
}

/** `iv erasures show`: the erasure of a request, with its certificate. */
function addShowErasure(erasures: Command): void {
  withExample(erasures.command('show'), 'iv erasures show req_…')
    .description('show the erasure of a request, and once it is done its certificate')
    .argument('<request_id>', 'the request')
    .action(async (requestId: string, _options: object, typed: Command) => {
      const { client, terminal } = await connect(typed);
      const { items } = await readPage(client.erasures.list, { all: true });
      const erasure = items.find((one) => one.request_id === requestId);
      if (!erasure) throw new CommandFailedError('No erasure of this request was asked for, or it lapsed.');
      terminal.answer(erasure, erasureFields(erasure));
    });
}

/** `iv erasures …` */
export const erasureCommands = [
  command('list', 'erasures.list', {
    example: 'iv erasures list --limit 50',
    about: 'list the erasures that wait for a second person, and those that are done, newest first',
    columns: [
      'erasure_id',
      'request_id',
      'reason',
      ['asked', 'asked_at'],
      ['by', 'asked_by'],
      ['erased', 'erased_at'],
      ['confirmed by', 'confirmed_by'],
    ],
    none: 'No erasures.',
  }),
  addShowErasure,
];

/** A legal hold in words. */
const holdFields = (hold: LegalHold): Block[] =>
  fields([
    ['hold_id', hold.hold_id],
    ['covers', hold.request_id ?? `all of ${hold.account_id}`],
    ['account_id', hold.account_id],
    ['reason', hold.reason],
    ['placed', `${hold.placed_at} by ${hold.placed_by}`],
    ['ended', hold.ended_at && `${hold.ended_at} by ${hold.ended_by}`],
  ]);

interface HoldOptions {
  readonly request?: string;
  readonly account?: string;
  readonly reason: string;
}

/** `iv holds place` */
function addPlaceHold(holds: Command): void {
  withExample(holds.command('place'), 'iv holds place --request req_… --reason "Doe v. Clinic"')
    .description('keep a request, or all of an account, from every erasure until the hold is ended')
    .option('--request <request_id>', 'the request that it covers')
    .addOption(new Option('--account <account_id>', 'the account that it covers').conflicts('request'))
    .requiredOption('--reason <text>', 'why: the matter and who asked; it is encrypted')
    .action(async ({ request, account, reason }: HoldOptions, typed: Command) => {
      if (request === undefined && account === undefined)
        throw new WrongUsageError(
          'A hold covers a request or an account. Expected for example: --request req_…',
        );
      const { client, terminal } = await connect(typed);
      const placing = client.holds.place({ request_id: request, account_id: account, reason });
      const hold = await (request === undefined
        ? nameMissing('account_id', account ?? '', placing)
        : nameMissing('request_id', request, placing));
      terminal.answer(hold, holdFields(hold));
    });
}

/** `iv holds …` */
export const holdCommands = [
  addPlaceHold,
  command('list', 'holds.list', {
    example: 'iv holds list --limit 50',
    about: 'list the legal holds, also those that were ended, newest first',
    columns: [
      'hold_id',
      ['covers', (hold) => hold.request_id ?? hold.account_id],
      ['since', 'placed_at'],
      ['by', 'placed_by'],
      ['ended', 'ended_at'],
      'reason',
    ],
    none: 'No legal holds.',
  }),
  command('end', 'holds.end', {
    example: 'iv holds end hold_…',
    about: 'end a legal hold; what is past its retention is erased within a day',
    of: 'hold_id',
    blocks: holdFields,
  }),
];
