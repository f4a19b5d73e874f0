import { randomUUID } from 'node:crypto';
import { decodeQuotedPrintable } from '@insurance-verification/x12';
import type { PayerConnection } from '../../config/payer-connections.ts';

/** What is posted. */
interface WrappedInquiry {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The 270 in the form that the payer's clearinghouse takes, with its credentials. */
export function wrapInquiry(
  { envelope, credentials, sender, receiver }: PayerConnection,
  text: string,
  askedAt: Date,
): WrappedInquiry {
  const { headers, username, password } = credentials;
  const isForm = envelope === 'multipart';
  const basic =
    !isForm && username !== undefined && password !== undefined
      ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      : {};
  if (envelope === 'raw') {
    return { headers: { 'content-type': 'application/edi-x12', ...basic, ...headers }, body: text };
  }
  if (envelope === 'json') {
    const body = JSON.stringify({ x12: text });
    return { headers: { 'content-type': 'application/json', ...basic, ...headers }, body };
  }
  // The MIME envelope of the CAQH CORE connectivity rule: these field names, with the 270 in the last part.
  const fields = {
    PayloadType: 'X12_270_Request_005010X279A1',
    ProcessingMode: 'RealTime',
    PayloadID: randomUUID(),
    TimeStamp: askedAt.toISOString(),
    ...(username !== undefined && { UserName: username }),
    ...(password !== undefined && { Password: password }),
    SenderID: sender.id,
    ReceiverID: receiver.id,
    CORERuleVersion: '2.2.0',
    Payload: text,
  };
  const boundary = `ivs-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}

/**
 * The X12 text of an answer: the body itself, a field of a JSON document, the part of a multipart form that begins with
 * an ISA, or the payload of a SOAP envelope. Only the body decides, since content types are wrong as often as right,
 * and kept evidence has none. A body without X12 is returned unchanged: the reader says what is wrong with it.
 */
export function unwrapAnswer(body: string): string {
  const start = body.trimStart();
  if (isX12(start)) return body;
  const boundary = /(?:^|\n)--([^\s"]{1,70})\r?\n/.exec(body)?.[1];
  if (boundary !== undefined) return payloadOfParts(body.split(`--${boundary}`)) ?? body;
  if (/^[{["]/.test(start)) return payloadOfJson(body) ?? body;
  if (start.startsWith('<')) return payloadOfXml(body) ?? body;
  return payloadBehindHeaders(body) ?? body;
}

/**
 * The X12 of an answer, without what it was wrapped in; null where it has none. What surrounds it, or a gateway's page,
 * may repeat the credentials that the inquiry was sent with.
 */
export function x12Of(body: string): string | null {
  const text = unwrapAnswer(body);
  return isX12(text) ? text : null;
}

/**
 * An ISA with its element separator, whichever that is; in a word that begins with ISA, a letter or a blank follows.
 */
function isX12(text: string): boolean {
  return /^\s*ISA[^A-Z\d \r\n]/i.test(text);
}

function payloadOfParts(parts: readonly string[]): string | undefined {
  return likeliest(parts.flatMap((part) => payloadBehindHeaders(part) ?? []));
}

/** Picks the first with a 271: some senders repeat the inquiry, or send a 999 with the answer. */
function likeliest(payloads: readonly string[]): string | undefined {
  return payloads.find((payload) => /ST[^A-Z\d]271/i.test(payload)) ?? payloads[0];
}

/** Headers, of a part or of a message within the body, end at the first blank line. */
function payloadBehindHeaders(part: string): string | undefined {
  const match = /\r?\n\r?\n/.exec(part);
  if (!match) return undefined;
  const headers = part.slice(0, match.index);
  const content = part.slice(match.index + match[0].length);
  const encoding = /^content-transfer-encoding:\s*"?([\w-]+)/im.exec(headers)?.[1]?.toLowerCase();
  const payload = decodeContent(content, encoding);
  return isX12(payload) ? payload : undefined;
}

/** Decodes a part by its Content-Transfer-Encoding. */
function decodeContent(content: string, encoding: string | undefined): string {
  if (encoding === 'base64') return decodeAnswer(Buffer.from(content, 'base64'));
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(content) : content;
}

/** Values of a JSON document to inspect: no clearinghouse needs more. */
const VALUE_COUNT_MAX = 10_000;

/**
 * The text that begins with an ISA, in any field: each clearinghouse names the field differently.
 */
function payloadOfJson(body: string): string | undefined {
  const values: unknown[] = [];
  try {
    values.push(JSON.parse(body));
  } catch {
    return undefined; // the X12 reader reports it
  }
  const payloads: string[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value === 'string' && isX12(value)) payloads.push(value);
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) if (values.length < VALUE_COUNT_MAX) values.push(inner);
  }
  return likeliest(payloads);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the element that begins with an ISA, as in CORE's SOAP envelope, in CDATA or escaped. */
function payloadOfXml(body: string): string | undefined {
  const literal = /<!\[CDATA\[\s*ISA[^A-Z\d \r\n]/i.exec(body);
  if (literal) {
    const end = body.indexOf(']]>', literal.index);
    return body.slice(literal.index + '<![CDATA['.length, end === -1 ? body.length : end);
  }
  const escaped = />(\s*ISA[^A-Z\d \r\n<][^<]*)/i.exec(body)?.[1];
  return escaped?.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Decodes an answer: payers send ASCII, some UTF-8, some the code page of their mainframe's gateway. */
export function decodeAnswer(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1').replace(/^ï»¿/, ''); // a byte order mark before text that is not UTF-8
  }
}
