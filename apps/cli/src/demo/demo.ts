import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { describeFailure } from '../failure/describe-failure.ts';
import { CommandFailedError } from '../failure/failure.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { findService } from './demo-service.ts';
import { type DemoStep, playDemo, stepLines } from './play-demo.ts';

/** `iv demo`: takes one request through all its stages and shows the commands a person would type. */
export function addDemo(program: Command): void {
  withExample(program.command('demo'), 'iv demo')
    .description(
      'play one request from intake to its signed webhook; where none runs, on a service of its own',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      const startedAt = performance.now();
      await using service = await findService(command, terminal);
      const show = (step: DemoStep) => {
        if (!terminal.json) terminal.report(step, stepLines(step));
      };
      const report = await playDemo(service, show).catch((err: unknown) => {
        throw new CommandFailedError(
          describeFailure(err, { ...service, example: 'iv demo', words: 'iv demo' }).message,
        );
      });
      const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
      terminal.answer({ ...report, seconds }, [`Done in ${seconds} s.`]);
      if (service.own)
        terminal.say('Stopping the service of this demo. One that stays: npx -y pnpm@12 start');
    });
}
