import pg from 'pg';
import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: it counts all that waits.
useOwn();

/** Sets in how many minutes requests are needed; negative: since when they are late. */
async function needed(minutesOf: Readonly<Record<string, number>>): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  for (const [id, minutes] of Object.entries(minutesOf)) {
    const at = `now() + make_interval(mins => $2)`;
    await client.query(`update work_queue set needed_by = ${at} where request_id = $1`, [id, minutes]);
    await client.query(`update request set needed_by = ${at} where id = $1`, [id, minutes]);
  }
  await client.end();
}

test('Work says what is late and when the next is needed, and its times continue without an event', async () => {
  const ids = [];
  for (let made = 0; made < 5; made += 1) ids.push((await service.aRequest()).request_id);
  const [one = '', other = '', next = '', later = ''] = ids;
  await needed({ [one]: -90, [other]: -30, [next]: 25, [later]: 120 });
  const watched = await aPerson(service, ['verifier', 'operator'], { name: 'Vera' });
  const { page, context } = watched;
  await page.clock.install();
  await page.goto('/console/work');
  await page.getByText(/^5 wait, the oldest for \d+ s; 2 late, next in 25 min$/).waitFor();
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Bluefield/ }) });
  await row.getByText(/^2 late, next in 25 min$/).waitFor();
  await expectFit(watched, 'work-needed');
  await page.goto('/console/requests');
  const waits = (id: string) => page.locator('tr').filter({ has: page.locator(`a[href$="${id}"]`) });
  await waits(one).getByText('1.5 h late').waitFor();
  await waits(next).getByText('25 min left').waitFor();

  // The page gets no answer, so only the clock can change an age.
  await context.setOffline(true);
  await page.clock.fastForward(4 * 60_000);
  await waits(next).getByText('21 min left').waitFor();
  const setHidden = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await setHidden(true);
  await page.clock.fastForward(5 * 60_000);
  expect(await waits(next).getByText('21 min left').count()).toBe(1);
  await setHidden(false);
  await waits(next).getByText('16 min left').waitFor();
}, 60_000);
