import { createRestClient } from '@insurance-verification/client';
import pg from 'pg';
import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: it has the call-backs of these tests only.
useOwn();

const ENDPOINT = { url: 'https://billing.example/events', types: ['request.answered' as const] };

async function aProviderKey(days = 365) {
  const { account_id } = await service.client.accounts.create({ name: 'Harbor Street Dental' });
  const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
  const made = await service.client.keys.create({
    account_id,
    scopes: ['requests'],
    name: 'Portal',
    expires_at,
  });
  const client = createRestClient({ url: service.url, apiKey: made.key });
  return { ...made, endpoint: await client.endpoints.create(ENDPOINT) };
}

// Broke: a revoked key's endpoint went on receiving events, and no page named it.
test('revoking a key names the endpoints that it made, and refuses an unknown successor', async () => {
  const { endpoint } = await aProviderKey(13);
  const watched = await aPerson(service, ['admin'], { at: '/console/keys' });
  const { page } = watched;
  const row = page.getByRole('row', { name: /Portal/ });
  await row.getByText('Ends soon').waitFor();
  await row.getByText(/; its endpoints are the account’s then$/).waitFor();
  await row.getByRole('button', { name: 'Revoke …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`This pauses 1 endpoint: ${endpoint.endpoint_id}`).waitFor();
  await dialog.getByLabel(/^Successor/).fill('key_of_nobody');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await dialog
    .getByText('Input should be the id of another live key or person of the same account')
    .waitFor();
  await expectFit(watched, 'revoke-with-successor', /status of 422/);
  await dialog.getByLabel(/^Successor/).fill('');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByRole('dialog', { name: 'Portal made 1 endpoint' }).waitFor();
  await dialog
    .getByText('https://billing.example/events: gets no events until somebody of the account enables it')
    .waitFor();
  await expectFit(watched, 'revoked-with-endpoints', /status of 422/);
  await page.getByRole('button', { name: 'Close' }).click();
  await row.getByText('Revoked').waitFor();
});

test('ending a person hands their endpoints to a successor, and says so', async () => {
  const { key_id, endpoint } = await aProviderKey();
  const { account_id } = endpoint;
  const added = await service.client.staff.add({ name: 'Sam Roe', roles: ['requester'], account_id });
  const database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  await database.query('update webhook_endpoint set made_by = $1 where id = $2', [
    added.staff_id,
    endpoint.endpoint_id,
  ]);
  await database.end();
  const { page, complaints } = await aPerson(service, ['admin'], { at: '/console/staff' });
  await page
    .getByRole('row', { name: /Sam Roe/ })
    .getByRole('button', { name: 'Change …' })
    .click();
  await page.getByRole('button', { name: 'End access …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Successor/).fill(key_id);
  await page.getByRole('button', { name: 'End their access' }).click();
  await dialog.getByText(`https://billing.example/events: continues with ${key_id}`).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('row', { name: /Sam Roe/ })
    .getByText('Ended')
    .waitFor();
  expect(complaints).toEqual([]);
});

// Broke: a verifier's own call-backs were invisible to everybody else.
test('an operator sees whose the call-backs are, on Requests', async () => {
  const { request_id } = await service.aRequest({
    patient_info: { subscriber_id: 'W-KEPT-1', dob: '1984-05-17', name: 'Jane Caller' },
  });
  const { lease_token } = await service.client.work.claimRequest({
    request_id,
    channels: ['manual_web_portal'],
  });
  await service.client.work.fail({ request_id, lease_token, error_reason: 'portal_maintenance' });
  const { account_id } = await service.client.accounts.create({ name: 'Phone desk', kind: 'platform' });
  const made = await service.client.keys.create({ account_id, scopes: ['verify'], name: 'Phone desk' });
  const { work } = createRestClient({ url: service.url, apiKey: made.key });
  const taken = await work.claimRequest({ request_id, channels: ['manual_phone_call'] });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  await work.callBack({ request_id, lease_token: taken.lease_token, at, who: 'me' });
  const part = (await (await aReader(service, ['operator'])).open('/requests')).only(
    'section',
    'aria-label="Call-backs"',
  );
  expect(part.text).toMatch(/, by Phone desk$/);
  expect(part.only('a', 'J. C.').markup).toContain(`href="/console/requests/${request_id}"`);
  const requester = await aReader(service, ['requester']);
  expect((await requester.open('/requests')).markup).not.toContain('aria-label="Call-backs"');
});
