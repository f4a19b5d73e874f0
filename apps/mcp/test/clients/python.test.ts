import { fileURLToPath } from 'node:url';
import { inherited } from '@insurance-verification/testing/inherited';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { describe, expect, test } from 'vitest';
import { runSource, useService } from '../a-service.ts';
import { aPost, anHttpServer } from '../an-agent.ts';
import { aToolAtHand, run } from './a-tool-at-hand.ts';

const VERSION = '2.3.0';

const python = await aToolAtHand(
  `python-mcp-${VERSION}`,
  async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(`${folder}/bin/pip`, ['install', '--quiet', '--retries', '0', `mcp==${VERSION}`]);
  },
  async (folder) => {
    const path = `${folder}/bin/python`;
    await run(path, ['-c', 'import mcp']);
    return path;
  },
);

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
    const url = way === 'HTTP' ? [await anHttpServer(service())] : [];
    const seen = await run(python, [script, mode, ...url], {
      ...inherited(),
      IV_URL: service().url,
      IV_API_KEY: API_KEY,
      IV_MCP: JSON.stringify([process.execPath, ...runSource('../src/main.ts')]),
    });
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
