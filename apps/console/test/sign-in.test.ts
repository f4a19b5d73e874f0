import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { agree } from './ground/open-link.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

/** The address of a page of another origin that leads whoever opens it to `target`. */
async function aForeignPage(target: string): Promise<string> {
  const html = `<script>location = ${JSON.stringify(target)}</script>`;
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const isSignedIn = (page: Page, name: string) =>
  page.getByRole('banner').or(page.getByRole('navigation')).getByText(name).first().waitFor();

// Broke: any site could sign its visitor out, and in as its author, who then reads what the visitor types.
test('a link that another site opens names its person, and ends no session before a click', async () => {
  const bob = await aPerson(service, ['operator'], { name: 'Bob Reed' });
  const other = await bob.context.newPage();
  const { account_id } = await service.client.accounts.create({ name: 'Mallory Dental' });
  const { link } = await service.client.staff.add({ name: 'Mallory', roles: ['requester'], account_id });
  const address = await aForeignPage(`${service.url}${link?.path}`);
  await other.goto(address);
  await other.getByText('This link signs you in as Mallory of Mallory Dental.').waitFor();
  await other.getByText('You are signed in as Bob Reed. If you go on, that session ends.').waitFor();
  expect(other.url()).toBe(`${service.url}/console/sign-in`);
  await expectFit({ ...bob, page: other }, 'sign-in-link');
  await other.getByRole('button', { name: 'Stay signed in as Bob Reed' }).click();
  await isSignedIn(other, 'Bob Reed');
  await bob.page.reload();
  await isSignedIn(bob.page, 'Bob Reed');

  await other.goto(address);
  await agree(other);
  await isSignedIn(other, 'Mallory');
});
