import type { PayersFile } from '@insurance-verification/schema';
import * as z from 'zod';
import type { InquirySettings } from './payer-inquiry.ts';

/** A configured payer. */
interface ReachablePayer {
  readonly id: string;
  readonly name: string;
  readonly x12PayerId: string | null;
  /** The fields of its inquiries; absent: {@link LEAN_INQUIRY}. */
  readonly inquiry?: InquirySettings;
  /** Null without a connection. */
  readonly x12: NonNullable<PayersFile['payers'][number]['x12']> | null;
}

export interface ConnectionOptions {
  readonly payers: readonly ReachablePayer[];
  /** `X12_CREDENTIALS`: JSON, by payer id. */
  readonly credentials: string | undefined;
  /** The variable they came from. */
  readonly credentialsSource: string;
  readonly production: boolean;
}

const Credentials = z.record(
  z.string(),
  z
    .strictObject({
      headers: z.record(z.string(), z.string()).optional(),
      username: z.string().optional(),
      password: z.string().optional(),
    })
    .refine(
      (one) => (one.username === undefined) === (one.password === undefined),
      'username and password go together',
    ),
);

export const IN_FLIGHT_COUNT_MAX = 20;

/**
 * The X12 connections of the payers that have one.
 * @throws {TypeError} for credentials that cannot be read or belong to no connection, and for plain http in production.
 * No message repeats a credential.
 */
export function readConnections(options: ConnectionOptions): PayerConnection[] {
  const credentials = readCredentials(options);
  const connected = options.payers.flatMap(({ x12, ...payer }) => (x12 ? [{ ...payer, x12 }] : []));
  const unknown = Object.keys(credentials).find((id) => !connected.some((payer) => payer.id === id));
  if (unknown !== undefined) {
    throw new TypeError(
      `${options.credentialsSource}: no payer of PAYERS_FILE has the id ${JSON.stringify(unknown)} and an x12 connection.`,
    );
  }
  return connected.map(({ id, name, x12PayerId, inquiry, x12 }) => {
    if (options.production && !x12.url.startsWith('https:')) {
      throw new TypeError(`PAYERS_FILE: the x12.url of ${JSON.stringify(id)} must be https in production.`);
    }
    return {
      payerId: id,
      payerName: name,
      x12PayerId: x12PayerId ?? id,
      url: x12.url,
      envelope: x12.envelope ?? 'raw',
      sender: { qualifier: x12.sender_qualifier ?? 'ZZ', id: x12.sender_id },
      receiver: { qualifier: x12.receiver_qualifier ?? 'ZZ', id: x12.receiver_id },
      traceOrigin: x12.trace_origin ?? traceOriginOf(x12.sender_id),
      timeZone: x12.time_zone ?? 'America/New_York',
      usage: x12.test === true ? 'T' : 'P',
      inFlightCountMax: x12.in_flight_max ?? IN_FLIGHT_COUNT_MAX,
      credentials: credentials[id] ?? {},
      ...(inquiry && { inquiry }),
    };
  });
}

/** The leading `9` marks an identifier of our own choosing. */
function traceOriginOf(senderId: string): string {
  return `9${senderId.toUpperCase().replaceAll(/[^\dA-Z]/g, '')}`.padEnd(10, '0').slice(0, 10);
}

function readCredentials({ credentials = '{}', credentialsSource: source }: ConnectionOptions) {
  const parsed = Credentials.safeParse(parseJson(credentials, source));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TypeError(
    `${source}: at ${JSON.stringify(issue?.path.join('.'))}, ${issue?.message}. Expected {"<payer id>":{"headers":{…}}} or {"<payer id>":{"username":…,"password":…}}.`,
  );
}

function parseJson(text: string, variable: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`${variable}: not JSON.`); // no `cause`: it quotes the text
  }
}

/** How to ask one payer over X12: its part of `PAYERS_FILE`, with its credentials. */
export interface PayerConnection {
  readonly payerId: string;
  /** The configured payer plan name. */
  readonly payerName: string;
  /** NM109 of the payer in the 270: the clearinghouse's id for it. */
  readonly x12PayerId: string;
  readonly url: string;
  /** How the X12 text travels: as the body itself, in a JSON field, or in a multipart form. */
  readonly envelope: 'raw' | 'json' | 'multipart';
  readonly sender: Party;
  readonly receiver: Party;
  /** TRN03, 10 characters. */
  readonly traceOrigin: string;
  /** IANA time zone of the payer's dates and times. */
  readonly timeZone: string;
  /** ISA15. */
  readonly usage: 'P' | 'T';
  /** Limit of concurrent inquiries in this process. */
  readonly inFlightCountMax: number;
  readonly credentials: PayerCredentials;
  /** The fields of its inquiries; absent: {@link LEAN_INQUIRY}. */
  readonly inquiry?: InquirySettings;
}

/** ISA05/06 or ISA07/08. */
interface Party {
  readonly qualifier: string;
  readonly id: string;
}

/** The credentials that authenticate us to the clearinghouse. */
interface PayerCredentials {
  /** Sent with every inquiry. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** With a password: HTTP Basic, or the fields `UserName` and `Password` of a multipart form. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}
