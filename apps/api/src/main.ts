import { enableCompileCache } from 'node:module';

// The sources run as they are. The cache keeps what Node made of them, so that a later start need not do it again.
enableCompileCache();

await import('./run-process.ts');
