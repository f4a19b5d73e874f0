/** Decodes an answer: payers send ASCII, some UTF-8, some the code page of their mainframe's gateway. */
export function decodeAnswer(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1').replace(/^ï»¿/, ''); // a byte order mark before text that is not UTF-8
  }
}
