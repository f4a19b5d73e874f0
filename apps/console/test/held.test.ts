import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aHeldOutput } from './ground/a-held-output.ts';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { AGENTS_PAYER } from './ground/a-service.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: nothing is held before the first test.
useOwn();

async function anOperator(at?: string): Promise<WatchedPage> {
  const watched = await aPerson(service, ['operator'], { at });
  watched.excuse(403); // an operator's first page asks for a list that is not theirs
  return watched;
}

const heading = ({ page }: WatchedPage, name: string) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('what is held is compared with what was asked, and applied after a second look', async () => {
  const watched = await anOperator();
  const { page } = watched;
  await page.getByRole('link', { name: 'Held outputs' }).click();
  await page.getByText('Nothing is held').waitFor();
  const request = await service.aRequest();
  const { request_id: id } = request;
  await aHeldOutput(service, request);
  await page.reload();
  await page.getByRole('cell', { name: 'Another patient?' }).waitFor();
  await page.locator('tbody a').first().click();
  await page.getByText('Held as a mismatch: the member id differs.').waitFor();
  await heading(watched, 'Another patient? J. D. at Bluefield Dental PPO');
  expect(await page.title()).toBe('Held output at Bluefield Dental PPO · Insurance Verification');
  await page.getByText('⇄ two digits swapped: characters 9 and 10').waitFor();
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Dismiss the held output' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Dismiss the held output' }).waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await page.getByText('The patient may be another: the member id differs.').waitFor();
  await page.getByText('A webhook goes to').waitFor();
  await page.getByLabel('The request’s last four characters').fill('none');
  expect(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
  await expectFit(watched, 'held-apply');
  await page.getByLabel('The request’s last four characters').fill(id.slice(-4));
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText(/^Applied by A operator at /).waitFor();
  await expectFit(watched, 'held-applied');
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ state: 'error_verifying' });
});

// Breaks when an operator applies what an agent read without having seen all of it.
test('the benefits that an agent submitted are shown before they are applied', async () => {
  const { request_id: id } = await service.aRequest({ payer_info: { name: AGENTS_PAYER } });
  const { items } = await service.client.work.claim({ channels: ['agent_web_portal'] });
  const [item] = items;
  if (!item) throw new Error('There was nothing to claim.');
  const { held_id: heldId } = await service.client.work.submit({
    request_id: id,
    lease_token: item.lease_token,
    insurance_data: [aCoverage(item.request)],
    benefits: [
      {
        entry: 0,
        benefits: [{ kind: 'copayment', network: 'in', amount: '25.00', quote: 'Copay at the office: $25' }],
      },
    ],
  });
  const operator = await aReader(service, ['operator']);
  const benefits = (await operator.open(`/held/${heldId}`)).only('section', 'aria-label="Benefits"');
  for (const text of [
    'What to collect, in network',
    '$25.00',
    'Everything the payer said',
    'Copay at the office: $25',
  ])
    expect(benefits.text).toContain(text);
  await service.client.heldOutputs.apply({ held_id: heldId ?? '' });
  const applied = await service.client.requests.benefits({ request_id: id });
  expect(applied.coverages[0]?.benefits).toMatchObject([{ amount: '25.00' }]);
});

test('j and k go through what is held, and stay at its ends', async () => {
  const ids: string[] = [];
  for (const reason of ['member_not_found', 'payer_unavailable'] as const)
    ids.unshift(await aHeldOutput(service, await service.aRequest(), reason)); // newest first, as they are listed
  const [newer = '', older = ''] = ids;
  const watched = await anOperator(`/console/held/${newer}`);
  const { page } = watched;
  await page.getByRole('main').getByText(newer, { exact: true }).waitFor();
  // Pressed again while the list is being read: at an end it changes nothing.
  const leadsTo = (key: string, id: string) =>
    expect
      .poll(async () => {
        await page.keyboard.press(key);
        return page.getByRole('main').getByText(id, { exact: true }).isVisible();
      })
      .toBe(true);
  await leadsTo('j', older);
  await leadsTo('k', newer);
  await page.keyboard.press('k');
  // The keys act on what is read: the heading is there before it.
  await page.getByRole('button', { name: 'Dismiss …' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Dismiss the held output' }).waitFor();
  await page.getByRole('main').getByText(newer, { exact: true }).waitFor();
});

test('held outputs are found by reason and age, in the address, and an id is copied with one click', async () => {
  const watched = await anOperator();
  await watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { page } = watched;
  const heldId = await aHeldOutput(service, await service.aRequest());
  await page.goto('/console/held');
  const row = page.getByRole('row').filter({ has: page.locator(`[href$="${heldId}"]`) });
  await row.getByText('just now').waitFor();
  await page.getByLabel('Age', { exact: true }).selectOption('Older than an hour');
  await page.getByText('No held output meets these filters').waitFor();
  await page.getByLabel('Age', { exact: true }).selectOption('The last hour');
  await page.getByLabel('Reason').selectOption('Another patient?');
  await row.getByRole('button', { name: 'Copy the held output’s id' }).click();
  await row.getByRole('button', { name: 'Copied the held output’s id' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(heldId);
  expect(new URL(page.url()).search).toBe('?age=under-1h&reason=input_mismatch');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await row.waitFor();
  expect(watched.complaints).toEqual([]);
});

const SLIP = { of: 'Maria Magdalena', to: 'Maria Magdalene' };
/** Of 80 letters, one as a passport has it, one that breaks nowhere. */
const LONG_NAME = `${SLIP.of} Constantinopoulou-Fotheringham de la Vega y Villalobos-Santander`;
const LONG_ADDRESS = 'W'.repeat(80);

/** An output that differs in name, member id, dates and plan from what was asked and from the result that stands. */
async function aCorrectionOfAll(): Promise<string> {
  const request = await service.aRequest({
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: LONG_NAME, address: LONG_ADDRESS },
  });
  const { input } = request;
  const coverage = aCoverage(request, {
    patient_info: input.patient_info,
    plan_info: { eligibility_status: 'Active', plan_name: 'PPO 1000', end_date: '2026-12-31' },
  });
  await service.client.verificationOutput.submit(anOutput(request, { insurance_data: [coverage] }));
  const patient_info = {
    subscriber_id: 'W123456798',
    dob: '1984-05-17',
    name: LONG_NAME.replace(SLIP.of, SLIP.to),
    address: `${LONG_ADDRESS}V`,
  };
  const { held_id: id = '' } = await service.client.verificationOutput.submit(
    anOutput(request, {
      input: { ...input, patient_info },
      insurance_data: [
        {
          ...coverage,
          patient_info,
          plan_info: { eligibility_status: 'Inactive', plan_name: 'PPO 5000', end_date: '2025-12-31' },
        },
      ],
    }),
  );
  return id;
}

// Broke: Active beside Inactive, PPO 1000 beside PPO 5000 and 2026 beside 2025 were "nearly the same".
test('only the name is nearly the same; of ids and dates the characters that differ are marked', async () => {
  const operator = await aReader(service, ['operator']);
  const page = (await operator.open(`/held/${await aCorrectionOfAll()}`)).only('main');
  const rows = page.all('tr').flatMap((row) => {
    const [head] = row.all('th');
    return head ? [{ name: head.text, row }] : [];
  });
  const expectRow = (name: string, words: string, marks: readonly string[]) => {
    const { row } = rows.find((one) => one.name === name) ?? expect.fail(`There is no row ${name}.`);
    expect(row.text, name).toContain(words);
    expect(
      row.all('mark').map(({ text }) => text),
      name,
    ).toEqual(marks);
  };
  expectRow('Patient', '≈ nearly the same', []);
  expectRow('Member id', '⇄ two digits swapped: characters 9 and 10', ['89', '98']);
  expectRow('Eligibility', '≠ different', []);
  expectRow('Plan', '≠ different', []);
  expectRow('End date', '≠ one digit differs: character 4', ['6', '5']);
  // Name and address: as asked, and the payer's next to the asked and the current ones.
  expect(page.text.match(/≈/g)).toHaveLength(6);
});

// Broke: an applied output said "this one says the same", and the list said nothing of what differs from the result.
test('a decision keeps what it decided over, and the list says what differs before it', async () => {
  const heldId = await aCorrectionOfAll();
  const operator = await aReader(service, ['operator']);
  const list = (await operator.open('/held')).only('main');
  const cells = list
    .only('tr', `${heldId}"`)
    .all('td')
    .map(({ text }) => text);
  expect(cells).toContain('member id, name, address, eligibility, plan, end date');
  expect(cells).toContain('M. V.');
  expect(list.all('th').map(({ text }) => text)).toEqual([
    'Received ↑',
    'Why',
    'What differs',
    'Patient',
    'Clinic',
    'Payer',
    'Offered by',
    'Request', // on a wide screen
  ]);
  expect(list.text).not.toContain('verification time');
  const review = (await operator.open(`/held/${heldId}`)).only('main');
  expect(review.text).toMatch(/ values agree/);
  expect(review.text).toContain('Portal, by an agent');
  expect(review.text).not.toMatch(/manual_|input_mismatch|superseding|\d{4}-\d\d-\d\dT/);
  // Nothing invites to what takes a patient's coverage away.
  const classOf = (name: string) => / class="([^"]+)"/.exec(review.only('button', name).markup)?.[1];
  expect(classOf('Apply …')).toBe(classOf('Dismiss …'));
  await service.client.heldOutputs.apply({ held_id: heldId });
  const applied = (await operator.open(`/held/${heldId}`)).only('main');
  expect(applied.text).toMatch(/ Applied by .+ at .+: /);
  const changes = applied.all('li').map(({ text }) => text);
  expect(changes).toContain('Eligibility Active → Inactive');
  expect(changes).toContain('Plan PPO 1000 → PPO 5000');
});

// Broke: a long name pushed what is offered off the right side, and one decided on what was left.
test('wide and narrow a name of 80 letters leaves asked, sign and offered on screen', async () => {
  expect([LONG_NAME, LONG_ADDRESS].map((text) => text.length)).toEqual([80, 80]);
  const watched = await anOperator(`/console/held/${await aCorrectionOfAll()}`);
  const { page } = watched;
  for (const { along, ...size } of [
    { width: 1280, height: 800, along: 'x' },
    { width: 390, height: 844, along: 'y' },
  ] as const) {
    await page.setViewportSize(size);
    for (const name of ['Patient', 'Address', 'Patient at the payer', 'Address at the payer']) {
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      await row.scrollIntoViewIfNeeded();
      const texts = row.locator('bdi');
      const shown = [texts.first(), row.getByText('≈ nearly the same').first(), texts.last()];
      const boxes = await Promise.all(shown.map((one) => one.boundingBox()));
      const places = boxes.map((box) => {
        if (!box) throw new Error(`Of ${name} something is not shown.`);
        expect(Math.min(box.x, box.y), name).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width, name).toBeLessThanOrEqual(size.width);
        expect(box.y + box.height, name).toBeLessThanOrEqual(size.height);
        return box;
      });
      const [asked, sign, offered] = places;
      if (!asked || !sign || !offered) throw new Error('Three were measured.');
      expect(sign.y, name).toBeGreaterThanOrEqual(asked.y + asked.height - 1);
      expect(offered[along], name).toBeGreaterThan(sign[along]);
    }
  }
  await expectFit(watched, 'held-long-name');
});
