import type { Erasure } from '@insurance-verification/schema';
import { type Block, fields, table } from '../terminal/table.ts';

/** An erasure in words; once it is done, what it did and which copies are still there. */
export function erasureFields(erasure: Erasure): Block[] {
  const { certificate } = erasure;
  return [
    ...fields([
      ['erasure_id', erasure.erasure_id],
      ['request_id', erasure.request_id],
      ['account_id', erasure.account_id],
      ['reason', erasure.reason],
      ['asked', `${erasure.asked_at} by ${erasure.asked_by}`],
      ['to confirm until', erasure.lapses_at],
      ['erased', erasure.erased_at && `${erasure.erased_at}, confirmed by ${erasure.confirmed_by}`],
    ]),
    ...(certificate
      ? [
          '',
          ...fields(Object.entries(certificate.erased).map(([name, count]) => [name, String(count)])),
          '',
          ...table(
            ['STILL THERE', 'WHICH', 'UNTIL', 'ENDS'],
            certificate.copies.map(({ kind, name, until, ends }) => [kind, name, until, ends]),
          ),
        ]
      : []),
  ];
}
