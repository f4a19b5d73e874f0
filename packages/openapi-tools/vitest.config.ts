import { configDefaults, defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    globalSetup: ['../testing/src/run-folder.ts', '../store/src/testing/global-setup.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    testTimeout: 60_000, // generators and compilers take seconds, and many on a busy machine
    exclude: [...configDefaults.exclude, 'test/clients/**'], // `test:clients`
    include: ['test/**/*.test.ts'],
  },
});
