import { configDefaults, defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2, // the same in all projects: a run over several refuses others
    globalSetup: ['../testing/src/run-folder.ts', '../store/src/testing/global-setup.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    testTimeout: 60_000, // generators and compilers take seconds, and many on a busy machine
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/clients/**'], // `test:clients`
  },
});
