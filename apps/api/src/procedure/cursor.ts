import { isIssuedId } from '@insurance-verification/store';
import { ValidationFailedError } from './problem.ts';

/** A list's cursor: the id of the last item shown. @throws {ValidationFailedError} for any other text. */
export function readCursor(
  prefix: Parameters<typeof isIssuedId>[0],
  cursor: string | undefined,
): string | undefined {
  assertCursor(cursor === undefined || isIssuedId(prefix, cursor));
  return cursor;
}

/** @throws {ValidationFailedError} if `isCursor` is false. */
export function assertCursor(isCursor: boolean): void {
  if (isCursor) return;
  throw new ValidationFailedError([
    {
      loc: ['query', 'cursor'],
      msg: 'Value should be the next_cursor of a page of this list',
      type: 'value_error',
    },
  ]);
}
