/** What a person heard on the phone. */
export const COPAY = {
  kind: 'copayment',
  service: { types: [{ code: '98' }], places: [{ code: '11' }] },
  network: 'in',
  amount: '25',
  quote: 'Twenty-five for an office visit.',
};
export const SAID = [
  { kind: 'deductible', network: 'in', level: 'individual', amount: '1500', period: 'calendar_year' },
  { kind: 'deductible', network: 'in', level: 'individual', amount: '900.00', remaining: true },
  { kind: 'coinsurance', network: 'in', percent: '20.0' },
  { kind: 'coinsurance', network: 'in', percent: '20', plan: null, texts: [] },
  COPAY,
];
