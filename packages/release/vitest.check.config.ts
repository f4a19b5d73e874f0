import { defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** `release:check`: publishes to a registry on loopback, and installs from it what a release would be. */
export default defineConfig({
  ...common,
  test: {
    maxWorkers: 1,
    globalSetup: ['../testing/src/run-folder.ts', '../store/src/testing/global-setup.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    include: ['check/**/*.test.ts'],
  },
});
