import { expect, test } from 'vitest';
import { birthDateForPayer, telOf } from './ask-values.ts';

// Broke: a date that was not in the wire's form was copied as it was typed, and the portal refused it.
test.each([
  ['1984-05-17', '05/17/1984'],
  ['17 May 1984', '05/17/1984'],
  ['May 17, 1984', '05/17/1984'],
  ['19840517', '05/17/1984'],
  ['1984-05-17T00:00:00Z', '05/17/1984'],
  ['5/17/1984', '05/17/1984'],
  ['03/04/1980', '03/04/1980'],
  ['1984', '1984'],
  ['unknown', 'unknown'],
])('a birth date %s is copied as %s', (written, copied) => {
  expect(birthDateForPayer(written)).toBe(copied);
});

test.each([
  ['+1 800 555 0142', 'tel:+18005550142'],
  ['(800) 555-0142 ext. 7', 'tel:8005550142'],
  ['ask at the desk', null],
])('%s is dialled as %s', (phone, link) => {
  expect(telOf(phone)).toBe(link);
});
