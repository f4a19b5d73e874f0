import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aGivenUp } from './ground/a-given-up.ts';
import { aHeldOutput } from './ground/a-held-output.ts';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// Ctrl+K finds a request and does what the page can, by keys only.

// Its own service: it takes what waits longest, and gives deliveries up.
useOwn({ WEBHOOK_RETRY_SCHEDULE: '0s' });

/** Opens the palette, types, and waits for the choice that Enter takes. */
async function choose(page: Page, typed: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: option, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Find or do' }).waitFor({ state: 'detached' });
}

const actionsOf = async (page: Page): Promise<readonly string[]> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  const names = await page.getByRole('group', { name: 'On this page' }).getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return names;
};

test('a result is sent again from the page of its request, by keys only', async () => {
  const id = await aGivenUp(service);
  const watched = await aPerson(service, ['requester'], { at: `/console/requests/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Deliver again' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Deliver again' }).waitFor();
  await expectFit(watched, 'palette');
  await page.keyboard.press('Escape');
  await choose(page, 'deliver ag', 'Deliver again');
  await expect
    .poll(async () => {
      const { items } = await service.client.requests.deliveries({ request_id: id });
      return items[0]?.attempts.length;
    })
    .toBe(2);
  expect(await watched.pointerCount()).toBe(0);
  expect(watched.complaints).toEqual([]);
});

test('it offers only what the role allows on the page', async () => {
  const id = await aGivenUp(service);
  const at = `/console/requests/${id}`;
  const { page } = await aPerson(service, ['viewer'], { at });
  await page.getByRole('heading', { level: 1, name: /at Bluefield Dental PPO$/ }).waitFor();
  expect(await actionsOf(page)).toEqual([]);
  const requester = await aPerson(service, ['requester'], { at });
  await requester.page.getByRole('button', { name: 'Deliver again' }).waitFor();
  expect(await actionsOf(requester.page)).toEqual(
    expect.arrayContaining(['New from this one', 'Deliver again']),
  );
});

test('a held output is applied, and a request called back, through the page’s own dialogs', async () => {
  const request = await service.aRequest();
  const heldId = await aHeldOutput(service, request);
  const operator = await aPerson(service, ['operator'], { at: `/console/held/${heldId}` });
  await operator.page.getByRole('button', { name: 'Apply …' }).waitFor();
  await choose(operator.page, 'apply', /^Apply/);
  await operator.page.getByText('A webhook goes to').waitFor();
  expect(await operator.page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);

  const { request_id: id } = await service.aRequest();
  const { work } = service.client;
  const leased = await work.claimRequest({ request_id: id, channels: ['manual_web_portal'] });
  const { lease_token } = leased;
  await work.fail({ request_id: id, lease_token, error_reason: 'portal_maintenance' });
  const { page } = await aPerson(service, ['verifier'], { at: `/console/work/${id}` });
  await page.getByRole('button', { name: 'Take it' }).waitFor();
  await choose(page, 'take', 'Take it');
  await page.getByLabel('Plan name').waitFor();
  await choose(page, 'call back', 'Call back later');
  await page.getByRole('heading', { name: 'Call back later' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Call back later' }).waitFor({ state: 'detached' });
  await choose(page, 'release', 'Release');
  await page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
  await page.getByRole('button', { name: /^Next/ }).waitFor();
  await choose(page, 'next', 'Next');
  await page.getByLabel('Plan name').waitFor();
});

test('requests are found by member id and by initials, and nothing of it is in the address', async () => {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: 'XQ99887766', dob: '1971-02-03', name: 'Zoe Quill' },
  });
  const { page, complaints } = await aPerson(service, ['requester'], { at: '/console/batches' });
  for (const typed of ['zq', 'Z. Q.', 'xq99887766']) {
    await page.goto('/console/batches');
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type(typed);
    await page.getByText('1 request found.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('option', { name: /^Z\. Q\. at Bluefield Dental PPO/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${id}`);
  }
  expect(complaints).toEqual([]);
});
