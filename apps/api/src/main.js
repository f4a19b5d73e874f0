import module from 'node:module';

// Under an older Node the first thing that it lacks would end this in a stack. A named import is such a thing.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `The Insurance Verification Service needs Node 24 or later, and this is ${process.version}: install Node 24.\n`,
  );
  process.exit(1);
}

// The sources run directly. The cache keeps what Node compiled, so that later starts need not repeat it. This file is
// JavaScript, since Node would strip it before the cache is there: with all others in it, 17 MB less for the stripper.
module.enableCompileCache();

// A slice of Node's pool keeps all of it. With pools of 8 KB, not 64, a request takes 5 % less CPU.
Buffer.poolSize = 8_192;

// Loading takes a second, and ten on a busy machine: a person at the terminal sees that it has begun.
if (process.stderr.isTTY) process.stderr.write('Starting the Insurance Verification Service …\n');

await import('./process/run-process.ts');
