import { type Command, InvalidArgumentError } from 'commander';
import { withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { table } from '../terminal/table.ts';
import { type Mix, parseMix } from './plan-step.ts';
import { playVerifier } from './play-verifier.ts';

interface Options {
  readonly verifiers: number;
  readonly mix: Mix;
  readonly seed: string;
  readonly speed: number;
  readonly keep?: true;
  readonly remote?: true;
}

/** `iv simulate` */
export function addSimulate(program: Command): void {
  withExample(
    program.command('simulate'),
    'iv simulate --verifiers 20 --mix active=70,fail=20,silent=10 --seed 7',
  )
    .description('work the queue with made-up verifiers and made-up results: for demos and tests')
    .option('--verifiers <count>', 'how many at once', parseCount, 20)
    .option(
      '--mix <weights>',
      'how often each outcome happens: active, inactive, fail, silent (dies), release',
      parseMix,
      parseMix('active=70,inactive=10,fail=14,silent=2,release=4'),
    )
    .option('--seed <text>', 'equal seeds give equal outcomes to equal requests', '1')
    .option('--speed <factor>', 'how many times faster than real verifiers', parseCount, 600)
    .option('--keep', 'continue when the queue is empty, until Ctrl-C')
    .option('--remote', 'on a service that is not on this machine: its requests get made-up results')
    .action(async ({ verifiers, mix, seed, speed, keep, remote }: Options, command: Command) => {
      const { client, url, terminal } = await connect(command);
      refuseRemote(url, remote === true);
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
      const counts = new Map<string, number>();
      const simulation = {
        client,
        seed,
        mix,
        speed,
        drains: keep !== true,
        signal: stop.signal,
        onStep: (_item: unknown, came: string) => void counts.set(came, (counts.get(came) ?? 0) + 1),
      };
      await Promise.all(Array.from({ length: verifiers }, () => playVerifier(simulation)));
      const rows = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
      terminal.answer(Object.fromEntries(rows), table(['CAME', 'COUNT'], rows));
    });
}

/** A remote service would send made-up results about real patients to their clinics. */
function refuseRemote(url: string, isMeant: boolean): void {
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
  if (isHere || isMeant) return;
  throw new WrongUsageError(
    'The service is not on this machine, and its requests would get made-up results. If that is meant, add --remote.\n' +
      'Right, for example: iv simulate --verifiers 20',
  );
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError('Expected a whole number from 1.');
  return Number(text);
}
