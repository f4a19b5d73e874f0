import type { HeldComparison } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields, table } from '../terminal/table.ts';

/** `iv held compare` */
export function addCompareHeld(held: Command): void {
  withExample(held.command('compare'), 'iv held compare held_… --with req_…')
    .description('show what a held output differs in from what was asked and what stands')
    .argument('<held_id>', 'its id')
    .option('--with <request_id>', 'another request than the one that it names')
    .action(async (heldId: string, { with: requestId }: { readonly with?: string }, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.heldOutputs.compare({
        held_id: heldId,
        ...(requestId !== undefined && { request_id: requestId }),
      });
      const comparison = await nameMissing(`held output ${heldId}`, 'iv held list', call);
      terminal.answer(comparison, lines(comparison));
    });
}

function lines({ held, request, sentence, values, receiver }: HeldComparison): Block[] {
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
