import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { aPage } from './ground/a-page.ts';
import { openLink } from './ground/open-link.ts';
import { service, useOwn } from './ground/shared.ts';

// Slow: a hundred requests are typed by keys, since what each leaves over adds up.

// Its own service: Next takes what waits longest.
useOwn();

const COUNT = 100;
/** Pages, styles and compiled code are loaded by then. */
const WARM_COUNT = 20;

const nameOf = (number: number) => `Patient ${String(number).padStart(3, '0')}`;

/** What the tab holds after a forced collection. */
async function held(devTools: CDPSession) {
  await devTools.send('HeapProfiler.collectGarbage');
  await devTools.send('HeapProfiler.collectGarbage'); // what the first one's finalizers let go
  const { metrics } = await devTools.send('Performance.getMetrics');
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners') };
}

// A tab is open from morning to evening: what each request leaves behind would add up, and a key more is a hundred more.
test('a hundred in a row in one tab: only by keys, each once, and nothing left over', async () => {
  for (let number = 1; number <= COUNT; number++)
    await service.aRequest({
      patient_info: { subscriber_id: `ID-${number}`, dob: '1984-05-17', name: nameOf(number) },
    });
  const { page, context, pointerCount, complaints } = await aPage(service.url);
  await openLink(page, await service.link(['verifier']));
  await page.getByRole('button', { name: 'Next' }).waitFor();
  const signInCount = await pointerCount();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Performance.enable');
  let pressCount = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      pressCount += key.split('+').length; // a key held with another is one more
      await page.keyboard.press(key);
    }
  };
  const readings = [];
  await press('n');
  for (let number = 1; number <= COUNT; number++) {
    await page.getByText(nameOf(number), { exact: true }).first().waitFor();
    await page.locator('input[type=radio]:focus').waitFor();
    if (number === WARM_COUNT || number === COUNT) readings.push(await held(devTools));
    const before = pressCount;
    await press('Space', 'Tab', ...'PPO'.split(''), 'Tab', ...'1/1/26'.split(''), 'Control+Enter');
    expect(pressCount - before).toBeLessThanOrEqual(24); // and Next, once
  }
  await page
    .getByText('Nothing waits for a person just now')
    .or(page.getByText('The result is sent'))
    .first()
    .waitFor();
  const region = page.getByRole('region', { name: 'My day' });
  await region.getByText(String(COUNT), { exact: true }).waitFor();
  expect(await pointerCount()).toBe(signInCount);
  expect(complaints).toEqual([]);
  const [warm, last] = readings;
  if (!warm || !last) throw new Error('It was not measured.');
  // Bounds for 80 requests: a page kept for one alone has 300 nodes.
  expect((last.heap - warm.heap) / 1024).toBeLessThan(1_024);
  expect(last.nodes - warm.nodes).toBeLessThan(300);
  expect(last.listeners - warm.listeners).toBeLessThan(30);
}, 240_000);
