import { join } from 'node:path';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectFit, screenshots } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// A clinic's people add, test, recover and end the endpoints of their events by themselves.

// Its own service: it gives events up, after which a receiver is paused.
useOwn({ WEBHOOK_RETRY_SCHEDULE: '0s' });

/** Nothing reaches past the edge of the narrowest phone. */
async function expectNarrow(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 740 });
  await page.screenshot({ path: join(screenshots, `${name}-320.png`), fullPage: true });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

const endAll = async () => {
  const { endpoints } = service.client;
  for (const { endpoint_id } of (await endpoints.list()).items) await endpoints.end({ endpoint_id });
};

test('an endpoint is added with its secret, tested, and its event shows with its attempts', async () => {
  const receiver = await aReceiver();
  const watched = await aPerson(service, ['requester'], { at: '/console/endpoints' });
  const { page } = watched;
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Batch ended').check();
  await expectFit(watched, 'endpoint-add');
  await page.getByRole('dialog').getByRole('button', { name: 'Add the endpoint' }).click();
  const secret = page.getByRole('dialog').locator('code');
  expect(await secret.textContent()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
  const [made] = (await service.client.endpoints.list()).items;
  expect(made?.types).toEqual(['request.answered', 'request.failed', 'result.corrected', 'batch.ended']);

  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('A test is on its way').waitFor();
  await receiver.first();
  const row = page.getByRole('row', { name: /Endpoint tested/ });
  await row.getByText('Delivered').waitFor();
  await row.getByText('(204)').waitFor();
  await expectFit(watched, 'endpoint');
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: 'Attempts' }).waitFor();
  await page.getByRole('link', { name: made?.endpoint_id ?? '' }).click();

  await page.getByRole('button', { name: 'Change its events …' }).click();
  await page.getByLabel('Batch ended').uncheck();
  await page.getByRole('button', { name: 'Save the events' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Request answered, Request failed, Result corrected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'End …' }).click();
  await page.getByRole('button', { name: 'End the endpoint' }).click();
  await page.getByText('No endpoints yet').waitFor();
  expect((await service.client.endpoints.list()).items).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

test('what it did not take since a time is counted in a dialog, and only then posted again', async () => {
  const receiver = await aReceiver({ status: 500 });
  const { endpoints, deliveries, verificationOutput } = service.client;
  const { endpoint_id } = await endpoints.create({ url: receiver.url, types: ['request.answered'] });
  await verificationOutput.submit(anOutput(await service.aRequest()));
  await until('the event is given up', async () => {
    const { items } = await deliveries.list({ endpoint_id, status: 'exhausted' });
    return items.length === 1;
  });
  receiver.behave({ status: 204 });
  const watched = await aPerson(service, ['requester'], { at: '/console/endpoints' });
  const { page } = watched;
  await page.getByText('Failing').waitFor();
  await expectFit(watched, 'endpoints-failing');
  await expectNarrow(page, 'endpoints');
  await page.locator('tbody a').click();
  await page.getByRole('button', { name: 'Recover since …' }).click();
  await page.getByText('It did not take 1 event since then').waitFor();
  await expectFit(watched, 'endpoint-recover');
  expect(receiver.received).toHaveLength(1);
  await page.getByRole('button', { name: 'Post 1 event again' }).click();
  await page.getByText('1 event is on the way again.').waitFor();
  const [first, again] = await receiver.first(2);
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  await page.getByText('Takes events').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Off: turned off by hand').waitFor();
  await verificationOutput.submit(anOutput(await service.aRequest()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('It missed 1 event while it was off.').waitFor();
  await expectFit(watched, 'endpoint-missed');
  await expectNarrow(page, 'endpoint');
  await page.getByRole('button', { name: 'Post it' }).click();
  await receiver.first(3);
  await page.getByText('It missed 1 event while it was off.').waitFor({ state: 'detached' });
  expect(watched.complaints).toEqual([]);
  await endAll();
});

test('a viewer looks; only an admin rotates; an operator reads whose endpoints these are', async () => {
  const { endpoint_id } = await service.client.endpoints.create({
    url: 'http://localhost:9/events',
    types: ['request.answered'],
  });
  const path = `/endpoints/${endpoint_id}`;
  const buttonsOf = async (...roles: Parameters<typeof aReader>[1]) =>
    (await (await aReader(service, roles)).open(path)).all('button').map(({ text }) => text);
  const viewer = await buttonsOf('viewer');
  expect(viewer.filter((text) => /Test|End|Turn|Rotate|Recover|Change its/.test(text))).toEqual([]);
  expect(await buttonsOf('requester')).not.toContain('Rotate its secret …');
  const admin = await buttonsOf('requester', 'admin');
  for (const name of ['Test', 'Recover since …', 'Turn off', 'Rotate its secret …', 'End …'])
    expect(admin).toContain(name);
  const operator = await (await aReader(service, ['operator'])).open('/endpoints');
  expect(operator.only('main').text).toContain('These are the endpoints of default.');
  expect(operator.all('button').map(({ text }) => text)).toContain('Another account’s …');
  expect(operator.only('main').text).toContain('every account');
  await endAll();
});

test('a rotated secret is shown once, and a second rotation says when it may be', async () => {
  const { endpoint_id } = await service.client.endpoints.create({
    url: 'http://localhost:9/events',
    types: ['request.answered'],
  });
  const watched = await aPerson(service, ['requester', 'admin'], { at: `/console/endpoints/${endpoint_id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Rotate its secret …' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByText('The one before signs too until').waitFor();
  await expectFit(watched, 'endpoint-secret');
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: 'Rotate its secret …' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  watched.excuse(429);
  expect(watched.complaints).toEqual([]);
  await endAll();
});
