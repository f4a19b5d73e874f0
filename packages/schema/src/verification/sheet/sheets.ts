import type { SheetName, SheetRow } from './sheet-row.ts';

const types = (...codes: string[]) => ({ types: codes.map((code) => ({ code })) });
const cdt = (code: string) => ({ procedure: { system: 'cdt' as const, code } });

const DENTAL = '35';
const individual = { level: 'individual' } as const;
const family = { level: 'family' } as const;
const year = { period: 'calendar_year' } as const;
const used = { period: 'year_to_date' } as const;

const ABOUT: readonly SheetRow[] = [
  { id: 'network', label: 'Network: in or out', reads: 'network' },
  { id: 'group', label: 'Group number', reads: 'group_number' },
  { id: 'order', label: 'Order: 1st, 2nd, 3rd', reads: 'order' },
];

const row = (
  id: string,
  label: string,
  reads: Exclude<SheetRow['reads'], 'yes_no'>,
  says: NonNullable<SheetRow['says']>,
): SheetRow => ({ id, label, reads, says });

/** How often a dental service is paid for, and the last time that it was: one line of a page, with its name. */
const frequencyOf = (id: string, name: string, code: string): SheetRow[] => {
  const says: SheetRow['says'] = { kind: 'limitation', service: cdt(code), texts: [name] };
  return [
    { id, label: `${name}: how often`, reads: 'often', says },
    { id: `${id}_last`, label: `${name}: last one`, reads: 'day', says },
  ];
};

/** Classes have no service type of their own, except preventive and orthodontic ones: they are written in words. */
const classOf = (name: string) => ({ service: types(DENTAL), texts: [`${name} services`] });

/** The rows of the named sheets, in the order in which they are asked. */
export const SHEETS: Readonly<Record<SheetName, readonly SheetRow[]>> = {
  dental: [
    ...ABOUT,
    row('maximum', 'Maximum a year', 'dollars', {
      kind: 'maximum',
      service: types(DENTAL),
      ...individual,
      ...year,
    }),
    row('maximum_used', 'Maximum, used', 'dollars', {
      kind: 'maximum',
      service: types(DENTAL),
      ...individual,
      ...used,
    }),
    row('deductible', 'Deductible a year', 'dollars', {
      kind: 'deductible',
      service: types(DENTAL),
      ...individual,
      ...year,
    }),
    row('deductible_met', 'Deductible, met', 'dollars', {
      kind: 'deductible',
      service: types(DENTAL),
      ...individual,
      ...used,
    }),
    row('preventive', 'Preventive: patient pays', 'percent', { kind: 'coinsurance', service: types('41') }),
    row('basic', 'Basic: patient pays', 'percent', { kind: 'coinsurance', ...classOf('Basic') }),
    row('major', 'Major: patient pays', 'percent', { kind: 'coinsurance', ...classOf('Major') }),
    row('orthodontic', 'Orthodontic: patient pays', 'percent', { kind: 'coinsurance', service: types('38') }),
    row('orthodontic_maximum', 'Orthodontic: lifetime maximum', 'dollars', {
      kind: 'maximum',
      service: types('38'),
      ...individual,
      period: 'lifetime',
    }),
    row('orthodontic_age', 'Orthodontic: up to age', 'age', { kind: 'limitation', service: types('38') }),
    ...frequencyOf('exam', 'Exam', 'D0120'),
    ...frequencyOf('cleaning', 'Cleaning', 'D1110'),
    ...frequencyOf('bitewings', 'Bitewings', 'D0274'),
    ...frequencyOf('full_mouth', 'Full-mouth X-rays', 'D0210'),
    row('fluoride_age', 'Fluoride: up to age', 'age', { kind: 'limitation', service: cdt('D1206') }),
    row('waiting_basic', 'Waiting period, basic: months', 'months', {
      kind: 'waiting_period',
      ...classOf('Basic'),
    }),
    row('waiting_major', 'Waiting period, major: months', 'months', {
      kind: 'waiting_period',
      ...classOf('Major'),
    }),
    {
      id: 'missing_tooth',
      label: 'Missing-tooth clause: y or n',
      reads: 'yes_no',
      yes: { kind: 'limitation', service: types(DENTAL), texts: ['There is a missing-tooth clause.'] },
      no: { kind: 'limitation', service: types(DENTAL), texts: ['There is no missing-tooth clause.'] },
    },
  ],
  medical: [
    ...ABOUT,
    row('office', 'Office visit: co-pay', 'dollars', {
      kind: 'copayment',
      service: types('98'),
      period: 'visit',
    }),
    row('specialist', 'Specialist: co-pay', 'dollars', {
      kind: 'copayment',
      service: types('98'),
      period: 'visit',
      texts: ['Specialist'],
    }),
    row('urgent_care', 'Urgent care: co-pay', 'dollars', {
      kind: 'copayment',
      service: types('UC'),
      period: 'visit',
    }),
    row('emergency', 'Emergency room: co-pay', 'dollars', {
      kind: 'copayment',
      service: types('86'),
      period: 'visit',
    }),
    row('deductible', 'Deductible a year', 'dollars', {
      kind: 'deductible',
      service: types('30'),
      ...individual,
      ...year,
    }),
    row('deductible_met', 'Deductible, met', 'dollars', {
      kind: 'deductible',
      service: types('30'),
      ...individual,
      ...used,
    }),
    row('family_deductible', 'Family deductible a year', 'dollars', {
      kind: 'deductible',
      service: types('30'),
      ...family,
      ...year,
    }),
    row('family_deductible_met', 'Family deductible, met', 'dollars', {
      kind: 'deductible',
      service: types('30'),
      ...family,
      ...used,
    }),
    row('out_of_pocket', 'Out of pocket a year', 'dollars', {
      kind: 'out_of_pocket',
      service: types('30'),
      ...individual,
      ...year,
    }),
    row('out_of_pocket_met', 'Out of pocket, met', 'dollars', {
      kind: 'out_of_pocket',
      service: types('30'),
      ...individual,
      ...used,
    }),
    row('coinsurance', 'Co-insurance: patient pays', 'percent', {
      kind: 'coinsurance',
      service: types('30'),
    }),
    {
      id: 'authorization',
      label: 'Authorization needed: y or n',
      reads: 'yes_no',
      yes: { kind: 'authorization', service: types('30'), authorization: 'required' },
      no: { kind: 'authorization', service: types('30'), authorization: 'not_required' },
    },
    {
      id: 'referral',
      label: 'Referral needed: y or n',
      reads: 'yes_no',
      yes: { kind: 'referral', service: types('30'), texts: ['A referral is needed.'] },
      no: { kind: 'described', service: types('30'), texts: ['No referral is needed.'] },
    },
    row('primary_care', 'Primary care provider', 'provider', { kind: 'primary_care_provider' }),
  ],
};
