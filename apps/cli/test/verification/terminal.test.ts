import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { expect, onTestFinished, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { naming } from '../iv.ts';
import { inherited, runSource } from '../run-source.ts';

const service = useService();
const DOWN = '\u001B[B';
const ENTER = '\r';
const CTRL_C = '\u0003';
const SHOW_CURSOR = '\u001B[?25h';
const HIDE_CURSOR = '\u001B[?25l';

/** `iv work next` in a terminal of its own, as a person has it before them: raw keys, one screen for both streams. */
function startNext() {
  const terminal: IPty = spawn(
    process.execPath,
    [...runSource(new URL('../../src/main.ts', import.meta.url)), 'work', 'next'],
    { cols: 100, rows: 40, env: { ...inherited(), ...naming(service()), TERM: 'xterm-256color' } },
  );
  let shown = '';
  let seenLength = 0;
  let exitCode: number | undefined;
  terminal.onData((text) => (shown += text));
  terminal.onExit((exit) => (exitCode = exit.exitCode));
  onTestFinished(() => {
    if (exitCode === undefined) terminal.kill('SIGKILL');
  });
  return {
    /** Waits for a question that was not answered yet, and types. */
    answer: async (question: RegExp, keys = '') => {
      await expect.poll(() => stripVTControlCharacters(shown.slice(seenLength)), patiently).toMatch(question);
      seenLength = shown.length;
      terminal.write(keys);
    },
    kill: (signal: string) => terminal.kill(signal),
    ended: async () => {
      await expect.poll(() => exitCode, patiently).toBeDefined();
      return { exitCode, shown, text: stripVTControlCharacters(shown) };
    },
  };
}

const patiently = { timeout: 30_000 };
const aPending = async () => (await aStoredRequest(service(), { cpt_code_coverage: null })).request_id;
const attempts = async (request_id: string) =>
  (await service().client.requests.attempts({ request_id })).items;

// Scripted stdin is no terminal: without raw mode arrow keys, redrawn lines and Ctrl-C take other ways.
test('a person verifies a request at a terminal, with arrow keys', { timeout: 90_000 }, async () => {
  const requestId = await aPending();
  const { answer, ended } = startNext();
  await answer(/What came of it/, ENTER);
  await answer(/Eligibility/, `${DOWN}${ENTER}`);
  await answer(/Plan name/, `PPO Silber\u007F\u007F\u007Fver${ENTER}`);
  await answer(/First day of coverage/, `31.12.2026${ENTER}`);
  await answer(/Expected a day as/, `${'\u007F'.repeat(10)}2026-01-01${ENTER}`);
  await answer(/Last day of coverage/, ENTER);
  await answer(/Member id/, ENTER);
  await answer(/Date of birth/, ENTER);
  await answer(/What else the payer said/, ENTER);
  await answer(/Another coverage/, ENTER);
  await answer(/Reference number/, ENTER);
  await answer(/Note for colleagues/, ENTER);
  const { exitCode, shown, text } = await ended();
  expect(exitCode, text).toBe(0);
  expect(text).toContain(requestId);
  expect(text).toContain('The result was accepted and is on its way to the provider.');
  // Whoever typed gets a terminal back that shows where they type.
  expect(shown.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(shown.lastIndexOf(HIDE_CURSOR));
  expect(await service().client.requests.result({ request_id: requestId })).toMatchObject({
    insurance_data: [
      {
        plan_info: { plan_name: 'PPO Silver', eligibility_status: 'Inactive', start_date: '2026-01-01' },
      },
    ],
  });
});

test('Ctrl-C at a question gives the request back', { timeout: 90_000 }, async () => {
  const requestId = await aPending();
  const { answer, ended } = startNext();
  await answer(/What came of it/, `${DOWN}${ENTER}`);
  await answer(/Why\?/, CTRL_C);
  const { exitCode, shown, text } = await ended();
  expect([exitCode, text]).toEqual([1, expect.stringContaining('The request is in the queue again.')]);
  expect(shown.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(shown.lastIndexOf(HIDE_CURSOR));
  expect(await attempts(requestId)).toMatchObject([{ outcome: 'released' }]);
  await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
});

// A closed window or a stopped session would keep the request from everybody else until the lease ends.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s gives the request back',
  { timeout: 90_000 },
  async (signal) => {
    const requestId = await aPending();
    const { answer, kill, ended } = startNext();
    await answer(/What came of it/);
    kill(signal);
    const { exitCode, shown, text } = await ended();
    expect([exitCode, text]).toEqual([1, expect.stringContaining('The request is in the queue again.')]);
    expect(shown.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(shown.lastIndexOf(HIDE_CURSOR));
    expect(await attempts(requestId)).toMatchObject([{ outcome: 'released' }]);
    await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  },
);
