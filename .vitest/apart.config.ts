import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_CONSOLE, DATABASE, testsOf } from './vitest.config.ts';

const { exclude } = configDefaults;
const clients = { include: ['test/clients/**/*.test.ts'], exclude, before: [DATABASE] };
const deploy = { include: ['test/deploy/**/*.test.ts'], exclude, before: [BUILT_CONSOLE, DATABASE] };

// `test:clients`: other people's clients, which it installs the first time. `test:deploy`: what starts nginx, HAProxy,
// promtool and a deployed service.
export default defineConfig({
  test: {
    projects: [
      testsOf('@insurance-verification/openapi-tools', 'packages/openapi-tools', clients),
      testsOf('@insurance-verification/mcp', 'apps/mcp', { ...clients, isolate: false }),
      testsOf('@insurance-verification/api', 'apps/api', { ...deploy, isolate: false }),
    ],
  },
});
