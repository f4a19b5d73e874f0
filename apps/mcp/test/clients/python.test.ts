import { fileURLToPath } from 'node:url';
import { inherited } from '@insurance-verification/testing/inherited';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPost, IV_MCP, useService } from '../a-service.ts';

const VERSION = '2.3.0';

let python: string;
beforeAll(async () => {
  const folder = await installOnce(`python-mcp-${VERSION}`, async (empty) => {
    await run('python3', ['-m', 'venv', empty]);
    await run(`${empty}/bin/pip`, ['install', '--quiet', `mcp==${VERSION}`]);
  });
  python = `${folder}/bin/python`;
}, INSTALL_PATIENCE_MS);

describe(`the client of PyPI, mcp ${VERSION}`, () => {
  const service = useService();
  const script = fileURLToPath(new URL('drive.py', import.meta.url));

  test.each([
    ['stdio', 'legacy'],
    ['stdio', 'auto'],
    ['HTTP', 'legacy'],
    ['HTTP', 'auto'],
  ])('plays a verification over %s, in the protocol %s', { timeout: 120_000 }, async (way, mode) => {
    const requestId = await aPost(service());
    const url = way === 'HTTP' ? [`${service().url}/mcp`] : [];
    const env = {
      ...inherited(),
      IV_URL: service().url,
      IV_API_KEY: API_KEY,
      IV_MCP: JSON.stringify([process.execPath, ...IV_MCP]),
    };
    const seen = await run(python, [script, mode, ...url], { env });
    expect(JSON.parse(seen)).toMatchObject({
      tools: expect.arrayContaining(['claim_next', 'submit_result', 'work_stats']),
      prompt: expect.stringContaining('{"channels":["agent_web_portal"],"wait_seconds":20}'),
      resources: expect.arrayContaining(['iv://error-reasons', 'iv://payers/Payer%20Plan%201']),
      payer: { name: 'Payer Plan 1', notes: 'Have the NPI at hand.' },
      request_id: requestId,
      refused: expect.stringContaining('Unknown: lease_token'),
      submitted: { status: 'applied', version: 1 },
    });
  });
});
