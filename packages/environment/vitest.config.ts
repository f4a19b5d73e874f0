import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['../testing/src/run-folder.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    include: ['src/**/*.test.ts'],
  },
});
