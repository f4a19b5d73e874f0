import { expect, test } from 'vitest';
import { showsPerson, splitName } from './split-name.ts';

// last | first | middle | suffix. A payer that gets the halves the wrong way round answers name_mismatch.
test.each([
  ['Jane Doe', 'Doe|Jane||'],
  ['Doe, Jane', 'Doe|Jane||'],
  ['DOE,JANE Q', 'DOE|JANE|Q|'],
  ['Jane Q. Public', 'Public|Jane|Q.|'],
  ['  Jane   Ann  Marie   Public ', 'Public|Jane|Ann Marie|'],
  ['Ludwig van Beethoven', 'van Beethoven|Ludwig||'],
  ['Maria de la Cruz', 'de la Cruz|Maria||'],
  ['Van Morrison', 'Morrison|Van||'],
  ['Martin Luther King Jr.', 'King|Martin|Luther|Jr'],
  ['King, Martin Luther, Jr.', 'King|Martin|Luther|Jr'],
  ['King Jr, Martin', 'King|Martin||Jr'],
  ['John Smith III', 'Smith|John||III'],
  ['Dr. John A. Smith', 'Smith|John|A.|'],
  ['John A. Smith, MD', 'Smith|John|A.|'],
  ['Mary Smith-Jones', 'Smith-Jones|Mary||'],
  ["Sinead O'Connor", "O'Connor|Sinead||"],
  ['Madonna', 'Madonna|||'],
  ['V', 'V|||'],
  ['MD', 'MD|||'],
  ['Doe,', 'Doe|||'],
])('splits %j', (text, expected) => {
  const { last, first, middle, suffix } = splitName(text) ?? {};
  expect([last, first, middle, suffix].map((part) => part ?? '').join('|')).toBe(expected);
});

test.each(['', '   ', ',', ' , '])('finds no name in %j', (text) => {
  expect(splitName(text)).toBeNull();
});

test('takes a provider for a person only by title or degree', () => {
  expect(showsPerson('Dr. Jane Smith')).toBe(true);
  expect(showsPerson('Jane Smith, DDS')).toBe(true);
  expect(showsPerson('Main Street Dental')).toBe(false);
  expect(showsPerson('Jane Smith')).toBe(false);
});
