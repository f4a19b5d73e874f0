import { writeFile } from 'node:fs/promises';
import { aFinding } from '@insurance-verification/testing/an-agent';
import { inherited } from '@insurance-verification/testing/inherited';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPost, IV_MCP, useService } from '../a-service.ts';

// 110 MB that only this test needs.
const VERSION = '2.12.0';

let inspector: string;
beforeAll(async () => {
  const folder = await installOnce(`inspector-${VERSION}`, async (empty) => {
    await writeFile(`${empty}/package.json`, '{}');
    const quickly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    // It pins the dependencies to versions no younger than the tool.
    const asThen = '--before=2026-11-19';
    const tool = `@modelcontextprotocol/inspector@${VERSION}`;
    await run('npm', ['install', '--prefix', empty, ...quickly, asThen, tool]);
  });
  inspector = `${folder}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;
}, INSTALL_PATIENCE_MS);

describe(`Inspector ${VERSION}`, () => {
  const service = useService();

  /** Inspector's output, parsed as JSON. */
  const inspect = async (...args: readonly string[]) =>
    JSON.parse(await run(process.execPath, [inspector, '--cli', ...args])) as Record<string, unknown>;
  const overStdio = () => {
    const env = { ...inherited(), IV_URL: service().url, IV_API_KEY: API_KEY };
    const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return [...given, process.execPath, ...IV_MCP];
  };
  const overHttp = () => [`${service().url}/mcp`, '--transport', 'http', '--header', `x-key: ${API_KEY}`];

  test.each([
    ['stdio', 'legacy', overStdio],
    ['stdio', 'modern', overStdio],
    ['HTTP', 'legacy', overHttp],
    ['HTTP', 'modern', overHttp],
  ])('drives it over %s, in the %s protocol', { timeout: 120_000 }, async (_, era, connect) => {
    const target = [...connect(), '--protocol-era', era];
    // Strict: it fails on a schema that some clients cannot use.
    const { tools } = await inspect(...target, '--method', 'tools/list', '--strict');
    expect(tools).toHaveLength(7);
    const reasons = await inspect(...target, '--method', 'resources/read', '--uri', 'iv://error-reasons');
    expect(JSON.stringify(reasons)).toContain('portal_two_factor');
    expect(await inspect(...target, '--method', 'tools/call', '--tool-name', 'work_stats')).toMatchObject({
      structuredContent: { items: expect.any(Array) },
    });
  });

  // Each of its calls is a session of its own: a lease of one session is handed in by the next.
  test('plays a verification over HTTP, one call at a time', { timeout: 120_000 }, async () => {
    const requestId = await aPost(service());
    const tool = [...overHttp(), '--method', 'tools/call', '--tool-name'];
    expect(await inspect(...tool, 'claim_next')).toMatchObject({
      structuredContent: { item: { request: { request_id: requestId } } },
    });
    const submission = [`request_id=${requestId}`, `insurance_data=${JSON.stringify([aFinding])}`];
    const args = submission.flatMap((arg) => ['--tool-arg', arg]);
    expect(await inspect(...tool, 'submit_result', ...args)).toMatchObject({
      structuredContent: { status: 'applied' },
    });
  });
});
