import { expect, test } from 'vitest';
import { atTheBench } from './ground/at-the-bench.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

// Broke: the number of the request stood in the place of the payer's, so whoever posts a request chose who is called.
test('the workbench names the payer’s own number, and the request’s next to it as not checked', async () => {
  const { page } = await atTheBench(service, {
    payer_info: { name: 'Bluefield Dental PPO', phone_number: '+1 900 555 0199' },
  });
  const ask = page.getByRole('region', { name: 'Ask' });
  const call = ask.getByRole('link', { name: '+1 800 555 0142', exact: true });
  expect(await call.getAttribute('href')).toBe('tel:+18005550142');
  const said = ask.getByRole('listitem').filter({ hasText: '555' });
  expect(await said.allInnerTexts()).toEqual(['The request says +1 900 555 0199, not checked']);
  // Neither dialled nor copied.
  expect(await said.getByRole('link').count()).toBe(0);
  expect(await said.getByRole('button').count()).toBe(0);
  await expect.poll(() => ask.getByRole('button', { name: 'Copy the phone number' }).count()).toBe(1);
  await page.close();
}, 60_000);
