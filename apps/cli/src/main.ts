#!/usr/bin/env -S node --conditions=@insurance-verification/source
import { run } from './run.ts';

// A reader that has seen enough (`iv requests list | head`) closes the pipe: not a failure to tell with a stack.
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code === 'EPIPE') process.exit(0);
  throw err;
});

process.exitCode = await run(process.argv.slice(2));
