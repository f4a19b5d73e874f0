import { defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    isolate: false, // what a fork loads anew for each file is half of its CPU
    globalSetup: ['../testing/src/run-folder.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    execArgv: ['--expose-gc'], // for the test that memory stays flat
    testTimeout: 30_000,
  },
});
