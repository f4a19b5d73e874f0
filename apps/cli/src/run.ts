import { type Command, CommanderError } from 'commander';
import { commandWords, exampleOf } from './example.ts';
import { describeFailure } from './failure/describe-failure.ts';
import { createProgram } from './program.ts';
import { targetOf } from './service/connect.ts';
import { asTyped } from './terminal/terminal.ts';

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 the operation failed, 2 wrong usage, 3 open (only `iv audit verify`).
 */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  let running: Command = program;
  program.hook('preAction', (_program, command) => {
    running = command;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (err) {
    // Commander has printed it already: requested help is success, everything else is wrong usage.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const facts = { ...targetOf(running), example: exampleOf(running), words: commandWords(running) };
    const { message, exitCode } = describeFailure(err, facts);
    process.stderr.write(`${asTyped(message)}\n`);
    return exitCode;
  }
}
