import { ConflictError, type RestClient, ValidationFailedError } from '@insurance-verification/client';
import { VerificationSource, type WorkItem } from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { connect } from '../connect.ts';
import { withExample } from '../example.ts';
import { CommandFailedError } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { askFinding, type Finding } from './ask-finding.ts';
import { keepLease } from './keep-lease.ts';
import { workLines } from './work-lines.ts';

interface Options {
  readonly channel: readonly VerificationSource[];
  readonly payer?: readonly string[];
  readonly wait: number;
}

/** What a person can do. */
const MANUAL = ['manual_web_portal', 'manual_phone_call'] as const;

/** `iv work next` */
export function addNextWork(work: Command): void {
  withExample(work.command('next'), 'iv work next --channel manual_phone_call --wait 25')
    .description('take the next request, ask the payer, and hand in what you found, field by field')
    .addOption(
      new Option('--channel <channels...>', 'only these')
        .choices(VerificationSource.options)
        .default([...MANUAL], 'the two manual ones'),
    )
    .option('--payer <names...>', 'only requests for these payers')
    .option('--wait <seconds>', 'how long to wait for one when there is none, up to 25', parseSeconds, 0)
    .action(async ({ channel, payer, wait }: Options, command: Command) => {
      const { client, terminal } = connect(command);
      const { items } = await client.work.claim({
        channels: [...channel],
        ...(payer && { payers: [...payer] }),
        wait_seconds: wait,
      });
      const [item] = items;
      if (!item) return terminal.answer({ item: null }, ['Nothing to do in these channels.']);
      await workOn(client, item, terminal);
    });
}

/** By which others end a process; SIGHUP when its terminal is closed. A terminal's Ctrl-C is a key to the prompt. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function workOn(client: RestClient, item: WorkItem, terminal: Terminal): Promise<void> {
  for (const line of workLines(item)) terminal.say(line);
  const lease = keepLease(client, item);
  // At its end a prompt waits for a key that cannot come, and the lease would be renewed for ever: from cron, say.
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.stdin.once('end', stop);
  // Not `once`: the prompt's own listener comes next, and kills the process where it is the only one left.
  for (const name of SIGNALS) process.on(name, stop);
  try {
    for (;;) {
      const signal = AbortSignal.any([lease.lost, stopped.signal]);
      const finding = await askFinding(item, { output: process.stderr, signal });
      const done = await handIn(client, item, finding, terminal);
      if (done) return terminal.answer(done.document, [done.line]);
    }
  } catch (err) {
    if (lease.lost.aborted || err instanceof ConflictError) {
      throw new CommandFailedError(
        'The lease was lost: someone else may have the request, or it is finished. Nothing was handed in.',
      );
    }
    if (!isInterrupt(err) && !stopped.signal.aborted) throw err;
    await client.work.release({ ...leaseOf(item), reason: 'The verifier stopped.' });
    throw new CommandFailedError('Stopped. The request is in the queue again.');
  } finally {
    process.stdin.off('end', stop);
    for (const name of SIGNALS) process.off(name, stop);
    lease.end();
  }
}

/** Null when the service refused the fields: they are asked for again. */
async function handIn(
  client: RestClient,
  item: WorkItem,
  finding: Finding,
  terminal: Terminal,
): Promise<{ document: object; line: string } | null> {
  const lease = leaseOf(item);
  switch (finding.kind) {
    case 'release':
      return {
        document: await client.work.release({ ...lease, reason: finding.reason }),
        line: 'It is in the queue again.',
      };
    case 'fail': {
      const { errorReason: error_reason, note, reference, final } = finding;
      const document = await client.work.fail({ ...lease, error_reason, note, reference, final });
      const line =
        document.next_channel === null
          ? `The request has ended with ${error_reason}.`
          : `It waits for ${document.next_channel} now.`;
      return { document, line };
    }
    case 'result':
      try {
        const { insuranceData: insurance_data, note, reference } = finding;
        const document = await client.work.submit({ ...lease, insurance_data, note, reference });
        return { document, line: 'The result was accepted and is on its way to the provider.' };
      } catch (err) {
        if (!(err instanceof ValidationFailedError)) throw err;
        for (const { loc, msg } of err.detail) terminal.say(`Refused: ${loc.slice(1).join('.')}: ${msg}.`);
        return null;
      }
  }
}

function leaseOf(item: WorkItem) {
  return { request_id: item.request.request_id ?? '', lease_token: item.lease_token };
}

/** Ctrl-C. */
function isInterrupt(err: unknown): boolean {
  return err instanceof Error && err.name === 'ExitPromptError';
}

function parseSeconds(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > 25)
    throw new InvalidArgumentError('Expected a whole number from 0 to 25.');
  return Number(text);
}
