import { defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    update: 'none', // a golden file that is not there is a fault; `-u` writes it
    // Half of a file's time is waiting; and what a fork loads again for each file is a third of its CPU.
    maxWorkers: 2,
    isolate: false,
    globalSetup: ['../testing/src/run-folder.ts', 'src/testing/global-setup.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests wait on conditions; these only end one that waits in vain.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } }, // a second by default
  },
});
