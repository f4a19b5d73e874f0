import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { beforeAll, expect, test } from 'vitest';
import { noticePage } from '../http/pages/html-page.ts';
import { createLog } from '../telemetry/log.ts';
import { buildConsole, createConsoleSite } from './site.ts';

let folder: string;
beforeAll(() => void (folder = aFolder()));

/** A site built by this program, in a separate process. */
function aSite(source: string) {
  const program = join(folder, `${crypto.randomUUID()}.mjs`);
  writeFileSync(program, source);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  return {
    site: createConsoleSite({ production: false }, log, (signal) => buildConsole(signal, program)),
    lines,
  };
}

test('until it is opened, there is no console', () => {
  expect(aSite('').site.state).toEqual({ kind: 'off' });
});

test('while it is built, the page says so and looks again by itself', async () => {
  const { site } = aSite('process.stdin.resume(); setInterval(() => {}, 1000);');
  const opening = site.open();
  const { state } = site;
  expect(state.kind).toBe('building');
  expect(state.kind === 'building' && noticePage(state)).toContain('<meta http-equiv="refresh"');
  // A drain does not wait for a build.
  await site.close();
  await opening;
});

// Breaks when a clone with a broken bundler shows a blank page, and its owner looks for the fault in the wrong place.
test('why a build failed is on the page and in the log, as text', async () => {
  const { site, lines } = aSite('console.error("<b>no such module</b>"); process.exit(1);');
  await site.open();
  const { state } = site;
  expect(state).toEqual({ kind: 'failed', reason: '<b>no such module</b>' });
  const page = state.kind === 'failed' ? noticePage(state) : '';
  expect(page).toContain('&lt;b&gt;no such module&lt;/b&gt;');
  expect(page).not.toContain('http-equiv="refresh"');
  expect(lines.join('')).toContain('the console could not be built');
});

test('production never builds', async () => {
  let built = false;
  const log = createLog('silent', { write: () => undefined });
  const site = createConsoleSite({ production: true }, log, async () => void (built = true));
  await site.open();
  expect(built).toBe(false);
});
