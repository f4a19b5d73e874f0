import type { RestClient } from '@insurance-verification/client';
import { VerificationSource, type WorkItem } from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withExample } from '../example.ts';
import { CommandFailedError } from '../failure/failure.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Desk } from './desk.ts';
import { listenForStop } from './listen-for-stop.ts';
import { watchQueue } from './watch-queue.ts';
import { workOn } from './work-on.ts';

interface Options {
  readonly channel: readonly VerificationSource[];
  readonly payer?: readonly string[];
  readonly wait?: number;
  readonly request?: string;
  readonly loop?: true;
}

/** The channels that a person can work. */
const MANUAL = ['manual_web_portal', 'manual_phone_call'] as const;

/** Seconds that one claim waits in a loop: the service's maximum. */
const LOOP_WAIT_SECONDS = 25;

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
    .option('--wait <seconds>', 'how long to wait for one when there is none, up to 25', parseSeconds)
    .addOption(
      new Option('--request <request_id>', 'this request, whatever waits before it').conflicts([
        'payer',
        'wait',
        'loop',
      ]),
    )
    .addOption(new Option('--loop', 'go on with the next one, until Ctrl-C').conflicts('wait'))
    .action(async (options: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const stop = listenForStop();
      const queue = watchQueue(client, { channels: options.channel, payers: options.payer }, stop.signal);
      const desk = { client, terminal, channels: options.channel, queue, stopped: stop.signal };
      try {
        await (options.loop ? workInLoop(desk, options) : workOnce(desk, options));
      } finally {
        queue.end();
        stop.end();
      }
    });
}

async function workOnce(desk: Desk, options: Options): Promise<void> {
  const { client, terminal } = desk;
  const item =
    options.request === undefined
      ? await claimNext(client, options, options.wait ?? 0, desk.stopped)
      : await claimNamed(client, options.request, options.channel);
  if (!item) return terminal.answer({ item: null }, ['Nothing to do in these channels.']);
  const done = await workOn(desk, item);
  if (!done) throw new CommandFailedError('Nothing was handed in.');
  terminal.answer(done.document, [done.line]);
}

/** A request lost for good does not end the loop: the next one follows. Ctrl-C between two ends the command with 0. */
async function workInLoop(desk: Desk, options: Options): Promise<void> {
  const { client, terminal, stopped } = desk;
  let isIdle = false;
  while (!stopped.aborted) {
    const item = await claimNext(client, options, isIdle ? LOOP_WAIT_SECONDS : 0, stopped);
    if (item) await report(desk, item, terminal);
    else if (!isIdle) terminal.say('Nothing to do in these channels. Waiting for the next; Ctrl-C ends.');
    isIdle = item === undefined;
  }
}

async function report(desk: Desk, item: WorkItem, terminal: Terminal): Promise<void> {
  const done = await workOn(desk, item);
  if (done) terminal.report(done.document, [done.line]);
  else terminal.say('Nothing was handed in.');
}

/** Undefined when the queue is empty or the command must end. */
async function claimNext(
  client: RestClient,
  { channel, payer }: Options,
  wait_seconds: number,
  signal: AbortSignal,
): Promise<WorkItem | undefined> {
  try {
    const { items } = await client.work.claim(
      { channels: [...channel], ...(payer && { payers: [...payer] }), wait_seconds },
      { signal },
    );
    return items[0];
  } catch (err) {
    if (signal.aborted) return undefined;
    throw err;
  }
}

function claimNamed(
  client: RestClient,
  requestId: string,
  channels: readonly VerificationSource[],
): Promise<WorkItem> {
  const call = client.work.claimRequest({ request_id: requestId, channels: [...channels] });
  return nameMissing(`request ${requestId}`, 'iv requests list --state pending', call);
}

function parseSeconds(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > 25)
    throw new InvalidArgumentError('Expected a whole number from 0 to 25.');
  return Number(text);
}
