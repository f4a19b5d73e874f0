import { expect, test } from 'vitest';
import { splitAddress } from './split-address.ts';

test('splits an address as it is written in the United States', () => {
  expect(splitAddress('12 Main St, Apt 4, Springfield, il 62701-1234')).toEqual({
    lines: ['12 Main St', 'Apt 4'],
    city: 'Springfield',
    state: 'IL',
    postalCode: '627011234',
  });
  expect(splitAddress('12 Main St\nSpringfield, IL  62701')?.city).toBe('Springfield');
});

test.each(['', 'Springfield, IL 62701', '12 Main St Springfield IL 62701', 'Hauptstr. 1, 10115 Berlin'])(
  'leaves out %j',
  (text) => {
    expect(splitAddress(text)).toBeNull();
  },
);
