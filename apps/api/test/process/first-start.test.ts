import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestModel } from '@insurance-verification/schema';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { aRequest } from '@insurance-verification/testing/a-request';
import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { send } from '../send.ts';
import { announcedUrl, aProcess, anEnvironment, START_WITHIN_MS } from './a-process.ts';
import { aTerminal } from './a-terminal.ts';

const patience = { timeout: START_WITHIN_MS + 60_000 };

const END_OF_BANNER = `"callback_url":"http://127.0.0.1:4000/verified"}'\n\n`;

// What a newcomer sees in the first ten seconds, and the last.
test(
  'a first start shows what it does, then its banner and nothing below; Ctrl-C ends with "stopped"',
  patience,
  async () => {
    const dataDir = aFolder();
    const terminal = aTerminal({ DATA_DIR: dataDir, PORT: '0' });
    await until('the banner is there', () => terminal.shown().includes(END_OF_BANNER), START_WITHIN_MS);
    const [before = '', banner = ''] = terminal.shown().split('\n\n  Insurance Verification Service  ');
    expect(before.split('\n')[0]).toBe('Starting the Insurance Verification Service …');
    expect(before.split('\n').slice(1).join('\n')).toMatch(
      /^\[[\d:]{8}\] INFO: Making a new database in \S+\n\[[\d:]{8}\] INFO: migrated \{"count":\d+,"to":"schema \w+"\}\n\[[\d:]{8}\] INFO: listening \{"url":"http:[^"]+","roles":\["http","delivery","verification"\]\}$/,
    );
    expect(banner).toContain(`kept in ${join(dataDir, 'api-key')}\n`);
    const own = banner.replaceAll(dataDir, '.data').split('\n');
    expect(own.filter((line) => line.length > 80)).toEqual([]);

    const url = announcedUrl(dataDir) ?? expect.fail('no address');
    const key = readFileSync(join(dataDir, 'test-api-key'), 'utf8').trim();
    expect(banner).toContain(`Test key  ${key}\n`);
    const body = aRequest({ patient_info: { subscriber_id: 'test-active' } }); // reserved ids are case-insensitive
    const posted = await send('POST', `${url}/requests/`, { body, headers: { 'x-key': key } });
    const { request_id: id } = posted.json as RequestModel;
    await until('the sandbox has answered', async () => {
      const { json } = await send('GET', `${url}/requests/${id}`, { headers: { 'x-key': key } });
      return (json as RequestModel).state === 'complete';
    });

    const shownCount = terminal.shown().length;
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(0);
    const end = terminal.shown().slice(shownCount);
    expect(end).toMatch(/INFO: stopping \{"signal":"SIGINT"\}\n(?:.*\n)*\[[\d:]{8}\] INFO: stopped\n$/);
    expect(end).not.toMatch(/ at |WARN|ERROR/);
  },
);

test(
  'a Ctrl-C during the start shows no banner, ends with "stopped" and leaves no server',
  patience,
  async () => {
    const dataDir = aFolder();
    const terminal = aTerminal({ DATA_DIR: dataDir, PORT: '0' });
    await until(
      'it makes its database',
      () => terminal.shown().includes('Making a new database'),
      START_WITHIN_MS,
    );
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.shown()).toMatch(/INFO: stopped\n$/);
    expect(terminal.shown()).not.toContain('Documentation');
    expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
  },
);

// Broke: `pnpm dev` left its PostgreSQL running. `node --watch` passes on the Ctrl-C that the terminal sent to both, and
// the second signal ended the service where it stood.
test('a Ctrl-C under --watch drains, and leaves no server', patience, async () => {
  const dataDir = aFolder();
  const terminal = aTerminal({ DATA_DIR: dataDir, PORT: '0' }, ['--watch', '--watch-preserve-output']);
  await until('the banner is there', () => terminal.shown().includes(END_OF_BANNER), START_WITHIN_MS);
  terminal.type('\u0003');
  await terminal.ended();
  expect(terminal.shown()).toMatch(/INFO: stopped\n$/);
  expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
});

// Supervisors and log collectors read JSON lines, and need the address without parsing prose.
test(
  'elsewhere the log is JSON, with one line that says where it listens, and "stopped" as its last',
  patience,
  async () => {
    const service = aProcess(SERVICE_COMMAND, {
      env: await anEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    service.child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const lines = () =>
      log
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const listening = await until('it listens', () => lines().find(({ msg }) => msg === 'listening'));
    expect(listening).toEqual({
      level: 30,
      time: expect.any(String),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      roles: ['http', 'delivery', 'verification'],
      msg: 'listening',
    });
    expect(await service.url()).toBe(listening['url']);
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe('exit 0');
    await until('the log has ended', () => service.child.stdout?.readableEnded);
    expect(lines().at(-1)).toMatchObject({ msg: 'stopped' });
    expect(lines().filter(({ msg }) => msg === 'listening' || msg === 'migrated')).toHaveLength(1);
  },
);
