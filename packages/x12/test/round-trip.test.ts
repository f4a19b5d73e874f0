import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Delimiters,
  type EligibilityInquiry,
  readEligibilityInquiry,
  readInterchanges,
  writeEligibilityInquiry,
} from '../src/index.ts';

const WORD_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '.-".split('');

/** A text as an element may hold it: no blanks at its ends or side by side. */
const word = (maxLength: number) =>
  fc
    .string({ unit: fc.constantFrom(...WORD_CHARS), minLength: 1, maxLength })
    .map((text) => text.replaceAll(/ +/g, ' ').trim() || 'X');
const optional = (maxLength: number) => fc.option(word(maxLength));
const name = fc.record({
  last: word(60),
  first: optional(35),
  middle: optional(25),
  suffix: optional(10),
});
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const minute = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000));

const inquiry: fc.Arbitrary<EligibilityInquiry> = fc.record({
  traceId: word(50),
  traceOrigin: word(10),
  askedAt: minute,
  payer: fc.record({ name: word(60), id: word(80) }),
  provider: fc.record({ isPerson: fc.boolean(), name, npi: optional(80), tin: optional(50) }),
  subscriber: fc.record(
    {
      name: fc.option(name),
      memberId: optional(80),
      birthDate: fc.option(day),
      gender: fc.constantFrom('F', 'M', 'U'),
      address: fc.option(
        fc.record({
          lines: fc.array(word(55), { minLength: 1, maxLength: 2 }),
          city: word(30),
          state: fc.constantFrom('IL', 'NY', 'CA'),
          postalCode: fc.constantFrom('62701', '627011234'),
        }),
      ),
    },
    { requiredKeys: ['name', 'memberId', 'birthDate', 'address'] },
  ),
  serviceDate: day,
  serviceTypes: fc.array(fc.constantFrom('30', '35', '98'), { maxLength: 3 }),
  procedures: fc.array(
    fc.record({
      qualifier: fc.constantFrom('HC', 'AD'),
      code: fc.constantFrom('D0120', '99213', 'J1100'),
      modifiers: fc.array(fc.constantFrom('25', '59', 'LT', 'Q6'), { maxLength: 4 }),
    }),
    { maxLength: 5 },
  ),
});

const delimiters: fc.Arbitrary<Delimiters> = fc
  .shuffledSubarray(['*', '|', '\u001D', '>', ':', '^', '~', '\n', '!', '\u001F'], {
    minLength: 4,
    maxLength: 4,
  })
  .filter((chars) => !chars.slice(0, 2).includes('\n') && chars[3] !== '\n')
  .map(([element = '', component = '', segment = '', repetition = '']) => ({
    element,
    component,
    segment,
    repetition,
  }));

test('what the writer writes, the reader reads, whatever the delimiters', () => {
  fc.assert(
    fc.property(
      inquiry,
      delimiters,
      fc.integer({ min: 1, max: 999_999_999 }),
      (asked, used, controlNumber) => {
        const text = writeEligibilityInquiry(asked, {
          sender: { qualifier: 'ZZ', id: 'IVSERVICE' },
          receiver: { qualifier: '30', id: 'PAYER' },
          controlNumber,
          writtenAt: asked.askedAt,
          usage: 'T',
          delimiters: used,
        });
        const { interchanges, faults } = readInterchanges(text);
        expect(faults).toEqual([]);
        expect(interchanges).toHaveLength(1);
        expect(interchanges[0]).toMatchObject({
          senderId: 'IVSERVICE',
          receiverId: 'PAYER',
          controlNumber: String(controlNumber).padStart(9, '0'),
          usage: 'T',
          delimiters: used,
        });
        const transaction = interchanges[0]?.groups[0]?.transactions[0];
        expect(transaction).toMatchObject({ id: '270', version: '005010X279A1' });
        expect(transaction && readEligibilityInquiry(transaction)).toEqual(asked);
      },
    ),
    { numRuns: 300 },
  );
});

test('any text in any field stays in its field', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(inquiry, anyText, anyText, (asked, last, memberId) => {
      const hostile = {
        ...asked,
        subscriber: {
          ...asked.subscriber,
          memberId,
          name: { last, first: memberId, middle: null, suffix: null },
        },
      };
      const envelope = {
        sender: { qualifier: 'ZZ', id: last },
        receiver: { qualifier: 'ZZ', id: memberId },
        controlNumber: 1,
        writtenAt: asked.askedAt,
        usage: 'P',
      } as const;
      const { interchanges, faults } = readInterchanges(writeEligibilityInquiry(hostile, envelope));
      expect(faults).toEqual([]);
      const transaction = interchanges[0]?.groups[0]?.transactions[0];
      const { subscriber: _, ...rest } = asked;
      expect(transaction && readEligibilityInquiry(transaction)).toMatchObject(rest);
    }),
    { numRuns: 300 },
  );
});
