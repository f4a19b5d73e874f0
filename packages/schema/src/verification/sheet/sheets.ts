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
    {
      id: 'maximum',
      label: 'Maximum a year',
      reads: 'dollars',
      says: { kind: 'maximum', service: types(DENTAL), ...individual, ...year },
    },
    {
      id: 'maximum_used',
      label: 'Maximum, used',
      reads: 'dollars',
      says: { kind: 'maximum', service: types(DENTAL), ...individual, ...used },
    },
    {
      id: 'deductible',
      label: 'Deductible a year',
      reads: 'dollars',
      says: { kind: 'deductible', service: types(DENTAL), ...individual, ...year },
    },
    {
      id: 'deductible_met',
      label: 'Deductible, met',
      reads: 'dollars',
      says: { kind: 'deductible', service: types(DENTAL), ...individual, ...used },
    },
    {
      id: 'preventive',
      label: 'Preventive: patient pays',
      reads: 'percent',
      says: { kind: 'coinsurance', service: types('41') },
    },
    {
      id: 'basic',
      label: 'Basic: patient pays',
      reads: 'percent',
      says: { kind: 'coinsurance', ...classOf('Basic') },
    },
    {
      id: 'major',
      label: 'Major: patient pays',
      reads: 'percent',
      says: { kind: 'coinsurance', ...classOf('Major') },
    },
    {
      id: 'orthodontic',
      label: 'Orthodontic: patient pays',
      reads: 'percent',
      says: { kind: 'coinsurance', service: types('38') },
    },
    {
      id: 'orthodontic_maximum',
      label: 'Orthodontic: lifetime maximum',
      reads: 'dollars',
      says: { kind: 'maximum', service: types('38'), ...individual, period: 'lifetime' },
    },
    {
      id: 'orthodontic_age',
      label: 'Orthodontic: up to age',
      reads: 'age',
      says: { kind: 'limitation', service: types('38') },
    },
    ...frequencyOf('exam', 'Exam', 'D0120'),
    ...frequencyOf('cleaning', 'Cleaning', 'D1110'),
    ...frequencyOf('bitewings', 'Bitewings', 'D0274'),
    ...frequencyOf('full_mouth', 'Full-mouth X-rays', 'D0210'),
    {
      id: 'fluoride_age',
      label: 'Fluoride: up to age',
      reads: 'age',
      says: { kind: 'limitation', service: cdt('D1206') },
    },
    {
      id: 'waiting_basic',
      label: 'Waiting period, basic: months',
      reads: 'months',
      says: { kind: 'waiting_period', ...classOf('Basic') },
    },
    {
      id: 'waiting_major',
      label: 'Waiting period, major: months',
      reads: 'months',
      says: { kind: 'waiting_period', ...classOf('Major') },
    },
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
    {
      id: 'office',
      label: 'Office visit: co-pay',
      reads: 'dollars',
      says: { kind: 'copayment', service: types('98'), period: 'visit' },
    },
    {
      id: 'specialist',
      label: 'Specialist: co-pay',
      reads: 'dollars',
      says: { kind: 'copayment', service: types('98'), period: 'visit', texts: ['Specialist'] },
    },
    {
      id: 'urgent_care',
      label: 'Urgent care: co-pay',
      reads: 'dollars',
      says: { kind: 'copayment', service: types('UC'), period: 'visit' },
    },
    {
      id: 'emergency',
      label: 'Emergency room: co-pay',
      reads: 'dollars',
      says: { kind: 'copayment', service: types('86'), period: 'visit' },
    },
    {
      id: 'deductible',
      label: 'Deductible a year',
      reads: 'dollars',
      says: { kind: 'deductible', service: types('30'), ...individual, ...year },
    },
    {
      id: 'deductible_met',
      label: 'Deductible, met',
      reads: 'dollars',
      says: { kind: 'deductible', service: types('30'), ...individual, ...used },
    },
    {
      id: 'family_deductible',
      label: 'Family deductible a year',
      reads: 'dollars',
      says: { kind: 'deductible', service: types('30'), ...family, ...year },
    },
    {
      id: 'family_deductible_met',
      label: 'Family deductible, met',
      reads: 'dollars',
      says: { kind: 'deductible', service: types('30'), ...family, ...used },
    },
    {
      id: 'out_of_pocket',
      label: 'Out of pocket a year',
      reads: 'dollars',
      says: { kind: 'out_of_pocket', service: types('30'), ...individual, ...year },
    },
    {
      id: 'out_of_pocket_met',
      label: 'Out of pocket, met',
      reads: 'dollars',
      says: { kind: 'out_of_pocket', service: types('30'), ...individual, ...used },
    },
    {
      id: 'coinsurance',
      label: 'Co-insurance: patient pays',
      reads: 'percent',
      says: { kind: 'coinsurance', service: types('30') },
    },
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
    {
      id: 'primary_care',
      label: 'Primary care provider',
      reads: 'provider',
      says: { kind: 'primary_care_provider' },
    },
  ],
};
