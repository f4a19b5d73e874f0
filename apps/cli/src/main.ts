#!/usr/bin/env -S node --conditions=@insurance-verification/source
import { run } from './run.ts';

// A reader that stops early (`iv requests list | head`) closes the pipe; that is not a failure worth a stack trace.
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code === 'EPIPE') process.exit(0);
  throw err;
});

process.exitCode = await run(process.argv.slice(2));
