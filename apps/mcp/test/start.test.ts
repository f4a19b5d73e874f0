import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { inherited } from '@insurance-verification/testing/inherited';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, onTestFinished, test } from 'vitest';
import { IV_MCP, useService } from './a-service.ts';

const service = useService();

test('a program that cannot start says why and ends', { timeout: 60_000 }, async () => {
  const run = async (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [...IV_MCP, ...args], {
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
  expect(await run(['--http'], {})).toBe(
    'Expected no argument. Over HTTP the service itself answers, at /mcp.',
  );
  expect(await run([], { IV_API_KEY: 'x', IV_URL: 'localhost:3000' })).toMatch(/^IV_URL: expected/);
  const folder = aFolder();
  expect(await run([], { IV_API_KEY: 'x', DATA_DIR: folder })).toBe(
    `No service is running with the data folder ${folder}, and IV_URL names none.`,
  );
});

const initialize = {
  jsonrpc: '2.0',
  id: 7,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** The first answer to an `initialize`. */
async function answerOf(env: Record<string, string>): Promise<unknown> {
  const child = spawn(process.execPath, IV_MCP, {
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return JSON.parse(line.toString());
}

// Broke: it asked port 3000, whatever listened there, while `iv` found the service that runs.
test('without IV_URL it speaks to the service that runs with the data folder', async () => {
  const answer = await answerOf({ DATA_DIR: service().dataDir, IV_API_KEY: API_KEY });
  expect(answer).toMatchObject({ id: 7, result: { serverInfo: { name: 'insurance-verification' } } });
});

// An agent's program shows its user the error of the first answer, and nothing of stderr.
test('a wrong key and a service that is not there are answered in words', async () => {
  const { url: IV_URL } = service();
  expect(await answerOf({ IV_URL, IV_API_KEY: 'wrong' })).toMatchObject({
    id: 7,
    error: { message: expect.stringContaining('API key') },
  });
  expect(await answerOf({ IV_URL: 'http://127.0.0.1:1', IV_API_KEY: 'x' })).toMatchObject({
    id: 7,
    error: { message: 'http://127.0.0.1:1 cannot be reached.' },
  });
});

test.each(['--help', '-h'])('%s prints how it is used, needs nothing and exits 0', async (flag) => {
  const child = spawn(process.execPath, [...IV_MCP, flag], {
    env: inherited(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  if (child.exitCode === null) await once(child, 'exit');
  const help = Buffer.concat(chunks).toString();
  for (const word of ['/mcp', 'IV_URL', 'IV_API_KEY_FILE', 'DATA_DIR']) expect(help).toContain(word);
  expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(child.exitCode).toBe(0);
});
