/** A cursor of the seals: the number of one. */
export const isSealNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
