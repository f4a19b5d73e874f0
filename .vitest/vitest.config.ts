import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const conditions = ['@insurance-verification/source'];
const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Options of every package: the run of all takes the same `maxWorkers` in each. */
const common: TestProjectInlineConfiguration['test'] = {
  maxWorkers: 5, // of a machine with two cores: half of a file’s time is waiting
  setupFiles: [pathOf('packages/testing/src/file-folder.ts')],
  include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  exclude: [...configDefaults.exclude, 'test/{clients,deploy}/**'], // `apart.config.ts`
  // Tests wait on conditions; these only end one that waits in vain, on a machine that may be busy.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } }, // a second by default
};

/** The tests of one folder. `before` names the `globalSetup`s after the run's own folder. */
export function testsOf(
  name: string,
  folder: string,
  {
    before = [],
    ...own
  }: TestProjectInlineConfiguration['test'] & { readonly before?: readonly string[] } = {},
): TestProjectInlineConfiguration {
  const globalSetup = ['packages/testing/src/run-folder.ts', ...before].map(pathOf);
  return {
    root: pathOf(folder),
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    environments: { __vitest__: { resolve: { conditions } } }, // of a `globalSetup`
    test: { ...common, name, globalSetup, ...own },
  };
}

const isolate = false; // what a fork loads again for each file is a third to a half of its CPU
export const DATABASE = 'packages/store/src/testing/global-setup.ts';
export const BUILT_CONSOLE = 'packages/testing/src/built-console.ts';

// All tests, also from the root: `pnpm vitest run work.test -t lease`.
export default defineConfig({
  test: {
    update: 'none', // a golden file that is not there is a fault; `-u` writes it
    root: pathOf(''),
    projects: [
      testsOf('ci', '.ci', { include: ['*.test.ts'] }),
      testsOf('@insurance-verification/schema', 'packages/schema', { isolate }),
      testsOf('@insurance-verification/webhook', 'packages/webhook', { isolate }),
      // Collects garbage for the test that memory stays flat.
      testsOf('@insurance-verification/x12', 'packages/x12', { isolate, execArgv: ['--expose-gc'] }),
      testsOf('@insurance-verification/environment', 'packages/environment'),
      testsOf('@insurance-verification/testing', 'packages/testing'),
      testsOf('@insurance-verification/release', 'packages/release', { include: ['test/**/*.test.ts'] }),
      testsOf('@insurance-verification/client', 'packages/client', { isolate }),
      testsOf('@insurance-verification/embedded-postgres', 'packages/embedded-postgres', {
        isolate,
        before: [DATABASE],
      }),
      testsOf('@insurance-verification/store', 'packages/store', { isolate, before: [DATABASE] }),
      testsOf('@insurance-verification/python-client', 'packages/python-client', { isolate }),
      testsOf('@insurance-verification/openapi-tools', 'packages/openapi-tools'),
      testsOf('@insurance-verification/payer-simulator', 'apps/payer-simulator'),
      testsOf('@insurance-verification/api', 'apps/api', { isolate, before: [BUILT_CONSOLE, DATABASE] }),
      testsOf('@insurance-verification/cli', 'apps/cli', { isolate, before: [DATABASE] }),
      testsOf('@insurance-verification/mcp', 'apps/mcp', { isolate, before: [DATABASE] }),
      testsOf('@insurance-verification/console', 'apps/console', {
        isolate,
        before: [BUILT_CONSOLE, DATABASE],
      }),
    ],
  },
});
