import { type Command, CommanderError } from 'commander';
import { readServiceUrl, tellKeySource } from './config.ts';
import { describeFailure } from './describe-failure.ts';
import { exampleOf } from './example.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 the operation failed, 2 wrong usage.
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
    // Commander has told it already: help that was asked for is done, all else is wrong usage.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const url = readServiceUrl(process.env);
    const facts = { url, keySource: tellKeySource(process.env, url), example: exampleOf(running) };
    const { message, exitCode } = describeFailure(err, facts);
    process.stderr.write(`${message}\n`);
    return exitCode;
  }
}
