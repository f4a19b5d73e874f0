import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { inherited } from '@insurance-verification/testing/inherited';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { runSource, startHttpServer, useService } from './a-service.ts';

const service = useService();

test('a program that cannot start says why and ends', { timeout: 60_000 }, async () => {
  const run = async (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [...runSource('../src/main.ts'), ...args], {
      env: { ...inherited(), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return (await text(child.stderr)).split('\n')[0];
  };
  expect(await run([], {})).toBe('IV_API_KEY: expected a key with the scope verify.');
  expect(await run([], { IV_API_KEY_FILE: '/nowhere/key' })).toBe(
    'IV_API_KEY_FILE: /nowhere/key cannot be read (ENOENT).',
  );
  expect(await run([], { IV_API_KEY_FILE: '/nowhere/key', IV_API_KEY: API_KEY })).toBe(
    'IV_API_KEY and IV_API_KEY_FILE are both set. Set one of them.',
  );
  expect(await run(['--tcp'], {})).toBe('Expected no argument, for stdio, or --http.');
  expect(await run([], { IV_API_KEY: 'x', IV_URL: 'http://127.0.0.1:1' })).toMatch(
    /^The service cannot be reached/,
  );
  const folder = aFolder();
  expect(await run([], { IV_API_KEY: 'x', DATA_DIR: folder })).toBe(
    `No service is running with the data folder ${folder}, and IV_URL names none.`,
  );
});

// Broke: it asked port 3000, whoever listened there, while `iv` found the service that runs.
test('without IV_URL it speaks to the service that runs with the data folder', async () => {
  const { url, dataDir } = service();
  const server = await startHttpServer({ DATA_DIR: dataDir });
  onTestFinished(async () => void (await server.stop()));
  await until('it named the service', () => server.said().endsWith('\n'));
  expect(server.said()).toBe(`MCP for ${url} at ${server.url}\n`);
});

test.each(['--help', '-h'])('%s prints how it is used, needs nothing and exits 0', async (flag) => {
  const child = spawn(process.execPath, [...runSource('../src/main.ts'), '--http', flag], {
    env: inherited(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  if (child.exitCode === null) await once(child, 'exit');
  const help = Buffer.concat(chunks).toString();
  for (const word of ['--http', 'IV_URL', 'IV_API_KEY', 'MCP_HOST', 'MCP_PORT']) expect(help).toContain(word);
  expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(child.exitCode).toBe(0);
});
