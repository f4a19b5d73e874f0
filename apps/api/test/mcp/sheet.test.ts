import { type RequestBenefits, SHEETS, type SheetRow } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { useMcpService } from './an-mcp-service.ts';

const PATIENCE = 60_000;

const ROWS: SheetRow[] = [
  {
    id: 'implants',
    label: 'Implants covered: y or n',
    reads: 'yes_no',
    yes: { kind: 'active', service: { procedure: { system: 'cdt', code: 'D6010' } } },
    no: { kind: 'not_covered', service: { procedure: { system: 'cdt', code: 'D6010' } } },
  },
  {
    id: 'crown',
    label: 'Crowns: patient pays',
    reads: 'percent',
    says: { kind: 'coinsurance', service: { procedure: { system: 'cdt', code: 'D2750' } } },
  },
];

const own = useMcpService({ sheet: ROWS });
const named = useMcpService({ sheet: 'dental' });

const aRequestOf = (url: ReturnType<typeof own>) => {
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const neededBy = new Date(Date.now() + 3_600_000).toISOString();
  return { day, neededBy, made: url.client.requests.create(aRequest(), { serviceDate: day, neededBy }) };
};

// Breaks when an agent asks about another day, or leaves out what the clinic needs to know of every plan.
test(
  'an agent is given the day, the time and the rows of its payer, and submits their benefits',
  { timeout: PATIENCE },
  async () => {
    const service = own();
    const agent = await service.agent();
    const { day, neededBy, made } = aRequestOf(service);
    const { request_id } = await made;
    const item = await agent.claim('Payer Plan 1');
    expect(item).toMatchObject({ service_date: day, needed_by: neededBy, payer: { sheet: ROWS } });
    await agent.call('submit_result', {
      request_id,
      insurance_data: [{ plan_info: { eligibility_status: 'Active' } }],
      benefits: [{ entry: 0, benefits: [ROWS[0]?.yes, { ...ROWS[1]?.says, percent: '50', quote: '50/50' }] }],
    });
    const found: RequestBenefits = await service.client.requests.benefits({ request_id: request_id ?? '' });
    expect(found.service_date).toBe(day);
    expect(found.coverages[0]?.benefits).toMatchObject([{ kind: 'active' }, { percent: '50', texts: [] }]);
  },
);

test('of a named sheet an agent is given the rows', { timeout: PATIENCE }, async () => {
  const service = named();
  const agent = await service.agent();
  const { made } = aRequestOf(service);
  await made;
  expect((await agent.claim('Payer Plan 1')).payer.sheet).toEqual(SHEETS.dental);
});
