/**
 * Why a text is no date or date-time: the words of speedate 0.17, the parser inside pydantic, which clients of the
 * spec's original service see after "Input should be a valid …, ".
 */
export class DateFault {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export const TOO_SHORT = 'input is too short';
export const EXTRA_CHARACTERS = 'unexpected extra characters at the end of the input';

/** The digit at `index`; anything else, also the end of the input, is `reason`. */
export function digitAt(bytes: Uint8Array, index: number, reason: string): number {
  const byte = bytes[index];
  if (byte === undefined || byte < 0x30 || byte > 0x39) throw new DateFault(reason);
  return byte - 0x30;
}

/** The two-digit number at `index`. */
export function twoDigitsAt(bytes: Uint8Array, index: number, reason: string): number {
  return digitAt(bytes, index, reason) * 10 + digitAt(bytes, index + 1, reason);
}

/** Year 0 parses, but Python's dates start at 1: the fault after every other one. */
export function isYearZero(text: string): boolean {
  return text.startsWith('0000-');
}
