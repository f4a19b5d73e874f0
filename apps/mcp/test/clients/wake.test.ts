import { fileURLToPath } from 'node:url';
import { aRequest } from '@insurance-verification/testing/a-request';
import { inherited } from '@insurance-verification/testing/inherited';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { beforeAll, expect, test } from 'vitest';
import { useService } from '../a-service.ts';

const VERSION = '0.2.0';

let python: string;
beforeAll(async () => {
  const folder = await installOnce(`python-mcp-webhook-events-${VERSION}`, async (empty) => {
    await run('python3', ['-m', 'venv', empty]);
    const packages = ['mcp==2.3.0', `mcp-webhook-events==${VERSION}`];
    await run(`${empty}/bin/pip`, ['install', '--quiet', ...packages]);
  });
  python = `${folder}/bin/python`;
}, INSTALL_PATIENCE_MS);

const service = useService();

interface Seen {
  readonly pypi: object;
  readonly ours: object;
  readonly data: object;
  readonly event_ids: readonly [string, string];
  readonly request_ids: readonly [string, string];
}

// Without it a client written for another server of MCP Events would not understand this one.
test(
  `a client in Python is woken, and meets what mcp-webhook-events ${VERSION} of PyPI sends`,
  {
    timeout: 120_000,
  },
  async () => {
    const script = fileURLToPath(new URL('wake.py', import.meta.url));
    const payer = 'Payer Plan 2';
    const request = JSON.stringify(aRequest({ payer_info: { name: payer } }));
    const env = { ...inherited(), IV_API_KEY: API_KEY };
    const seen = JSON.parse(await run(python, [script, service().url, payer, request], { env })) as Seen;
    expect(seen.ours).toEqual(seen.pypi);
    expect(seen.data).toEqual({ payer, channel: 'agent_web_portal', count: 1 });
    for (const [first, second] of [seen.event_ids, seen.request_ids]) expect(second).toBe(first);
  },
);
