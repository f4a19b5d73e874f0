import {
  judgeGender,
  judgeNeededBy,
  judgeServiceDate,
  type ValidationError,
} from '@insurance-verification/schema';
import type { Call } from '../procedure/context/call.ts';
import { ValidationFailedError } from '../procedure/problem.ts';

/** The values of the headers `Service-Date`, `Needed-By` and `Gender` of a create. */
export interface AskedWhen {
  /** `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  readonly neededBy: Date | null;
  /** `F`, `M` or `U`; null: not given. */
  readonly gender: string | null;
  /** Why a new request may not say so, today or by now; a repeat of an older one may. */
  readonly fault: ValidationFailedError | null;
}

/** @throws {ValidationFailedError} for what is no day, no instant or no gender at all: no request ever said that. */
export function readAskedWhen({ serviceDate, neededBy, gender: said }: Call, now = new Date()): AskedWhen {
  const day = serviceDate === undefined ? null : judgeServiceDate(serviceDate, now);
  const instant = neededBy === undefined ? null : judgeNeededBy(neededBy, now);
  const gender = said === undefined ? null : judgeGender(said);
  const malformed: ValidationError[] = [];
  if (day && 'malformed' in day) malformed.push({ loc: ['header', 'service-date'], ...day.malformed });
  if (instant && 'malformed' in instant)
    malformed.push({ loc: ['header', 'needed-by'], ...instant.malformed });
  if (gender && 'malformed' in gender) malformed.push({ loc: ['header', 'gender'], ...gender.malformed });
  if ((day && 'malformed' in day) || (instant && 'malformed' in instant) || (gender && 'malformed' in gender))
    throw new ValidationFailedError(malformed);
  const untimely = [
    ...(day?.untimely ? [{ loc: ['header', 'service-date'], ...day.untimely }] : []),
    ...(instant?.untimely ? [{ loc: ['header', 'needed-by'], ...instant.untimely }] : []),
  ];
  return {
    serviceDate: day?.day ?? null,
    neededBy: instant?.at ?? null,
    gender: gender?.gender ?? null,
    fault: untimely.length > 0 ? new ValidationFailedError(untimely) : null,
  };
}

/** Repeats the headers of times in the answer, as sent; a gender stays where it is needed. */
export function echoAskedWhen(call: Call): void {
  if (call.serviceDate !== undefined) call.setHeader('Service-Date', call.serviceDate);
  if (call.neededBy !== undefined) call.setHeader('Needed-By', call.neededBy);
}
