/**
 * Why a text is not a date or date-time, in the words of speedate 0.17, pydantic's parser. Clients of the spec's
 * original service see them after "Input should be a valid …, ".
 */
export class DateFault {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export const TOO_SHORT = 'input is too short';
export const EXTRA_CHARACTERS = 'unexpected extra characters at the end of the input';

/** The digit at `index`; anything else, including the end of the input, throws `reason`. */
export function digitAt(bytes: Uint8Array, index: number, reason: string): number {
  const byte = bytes[index];
  if (byte === undefined || byte < 0x30 || byte > 0x39) throw new DateFault(reason);
  return byte - 0x30;
}

/** The two-digit number at `index`. */
export function twoDigitsAt(bytes: Uint8Array, index: number, reason: string): number {
  return digitAt(bytes, index, reason) * 10 + digitAt(bytes, index + 1, reason);
}

/** Year 0 parses, but Python's dates start at 1: this fault comes after all others. */
export function isYearZero(text: string): boolean {
  return text.startsWith('0000-');
}
