import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_CONSOLE, DATABASE, testsOf } from './vitest.config.ts';

const { exclude } = configDefaults;
const clients = { include: ['test/clients/**/*.test.ts'], exclude, before: [DATABASE] };
const check = { include: ['check/**/*.test.ts'], maxWorkers: 1 };
const deploy = { include: ['test/deploy/**/*.test.ts'], exclude, before: [BUILT_CONSOLE, DATABASE] };

// `test:clients`: other people's clients, which it installs the first time. `test:deploy`: what starts nginx, HAProxy,
// promtool and a deployed service. `release:check`: what is packed, and published to a registry on loopback.
export default defineConfig({
  test: {
    projects: [
      testsOf('@insurance-verification/openapi-tools', 'packages/openapi-tools', clients),
      testsOf('@insurance-verification/python-client', 'packages/python-client', clients),
      testsOf('@insurance-verification/client', 'packages/client', check),
      testsOf('@insurance-verification/release', 'packages/release', { ...check, before: [DATABASE] }),
      testsOf('@insurance-verification/mcp', 'apps/mcp', { ...clients, isolate: false }),
      testsOf('@insurance-verification/api', 'apps/api', { ...deploy, isolate: false }),
    ],
  },
});
