import { enableCompileCache } from 'node:module';

// The sources run as they are. The cache keeps what Node made of them, so that a later start need not do it again.
enableCompileCache();

// Loading them takes a second, and ten on a busy machine: somebody who watches sees that it has begun.
if (process.stderr.isTTY) process.stderr.write('Starting the Insurance Verification Service …\n');

await import('./process/run-process.ts');
