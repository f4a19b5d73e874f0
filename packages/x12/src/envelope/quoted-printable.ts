import { readHeader } from '../tokenizing/read-header.ts';

/** Decodes quoted-printable (RFC 2045): soft line breaks, and characters by their bytes, in UTF-8 or else in Latin-1. */
export function decodeQuotedPrintable(text: string): string {
  return text.replaceAll(/=[ \t]*\r?\n/g, '').replaceAll(/(?:=[\dA-F]{2})+/gi, (bytes) =>
    textOf(
      bytes
        .slice(1)
        .split('=')
        .map((byte) => Number.parseInt(byte, 16)),
    ),
  );
}

function textOf(bytes: readonly number[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/**
 * Decodes an X12 text whose gateway left it quoted-printable, without the header that says so: a line that ends with `=`
 * continues in the next. Where `=` is a delimiter, or a line break ends the segments, it is the text's own.
 */
export function withoutSoftBreaks(text: string): string {
  if (!/=[ \t]*\r?\n/.test(text)) return text;
  const decoded = decodeQuotedPrintable(text);
  const start = decoded.search(/ISA/i);
  const header = start === -1 ? null : readHeader(decoded, start);
  if (header === null) return text;
  const { element, component, segment, repetition } = header.delimiters;
  const isOwn = [element, component, segment, repetition].includes('=') || /[\r\n]/.test(segment);
  return isOwn ? text : decoded;
}
