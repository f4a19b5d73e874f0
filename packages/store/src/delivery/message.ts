import type { ResponseModel, WebhookEvent } from '@insurance-verification/schema';
import { DecryptionError } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';

/** The parts of a message. The texts are the JSON that is stored, in UTF-8. */
interface MessageParts {
  readonly requestId: string;
  readonly receivedTimestamp: string;
  readonly outcome: ResponseModel['request']['state'];
  /** A `RequestInfo`. */
  readonly inputText: Buffer;
  /** A `StoredFinding`. */
  readonly findingText: Buffer;
}

const REASON = '{"errorReason":';
const DATA = ',"insuranceData":';

/**
 * The body of a result's message, a `ResponseModel`: the request block and the timestamps are ours, and only the
 * finding comes from the verifier. It is assembled from the stored texts at each claim; a stored copy took a third of
 * a request's bytes. The texts are neither parsed nor decoded, and they never change, so every attempt has the same
 * bytes.
 *
 * A later version that changes these bytes must keep this text for older results: receivers know a message by its id,
 * and may compare its body.
 * @throws {DecryptionError} when the finding is not in the stored form.
 */
export function messageBody({
  requestId,
  receivedTimestamp,
  outcome,
  inputText,
  findingText,
}: MessageParts): Buffer {
  // Within a JSON string the quotes would be escaped, so the first match is the field itself.
  const dataAt = findingText.indexOf(DATA);
  if (dataAt === -1 || findingText.toString('latin1', 0, REASON.length) !== REASON)
    throw new DecryptionError('A stored finding has another form.');
  return Buffer.concat([
    Buffer.from(`{"request":{"request_id":${JSON.stringify(requestId)},"input":`),
    inputText,
    Buffer.from(
      `,"received_timestamp":${JSON.stringify(receivedTimestamp)},"state":${JSON.stringify(outcome)},"error_reason":`,
    ),
    findingText.subarray(REASON.length, dataAt),
    Buffer.from('},"insurance_data":'),
    findingText.subarray(dataAt + DATA.length), // with its last brace
  ]);
}

/** The body of an event as MCP Events has it (SEP-3415, `EventOccurrence`). No event is replayed, so none has a cursor. */
export function occurrenceOf(eventBody: string): string {
  const { id, type, occurred_at: timestamp, data } = JSON.parse(eventBody) as WebhookEvent;
  return JSON.stringify({ eventId: id, name: type, timestamp, data, cursor: null });
}

/** The encryption context of an endpoint's address. Its deliveries have the same encrypted address. */
export const endpointUrlPlace = (endpointId: string) => `webhook_endpoint.url:${endpointId}`;

/** The encryption context of `delivery.destination`. */
export const destinationPlace = ({ id, endpoint_id: endpointId }: CarriedTo) =>
  endpointId === null ? `delivery.destination:${id}` : endpointUrlPlace(endpointId);

/** A delivery, and its endpoint where it carries an event. */
export interface CarriedTo {
  readonly id: string;
  readonly endpoint_id: string | null;
}

/** Includes the port implied by the scheme: a dead http receiver is not the https receiver of the same name. */
export function hostAndPort(callbackUrl: string): string {
  const { hostname, port, protocol } = new URL(callbackUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** The value of `delivery.destination_host`. */
export function destinationHostOf(vault: Vault, callbackUrl: string): Buffer {
  return indexHost(vault, hostAndPort(callbackUrl));
}

/** The values of `delivery.destination_host` for a typed host; empty if the text is not a host. */
export function destinationHostsOf(vault: Vault, typed: string): Buffer[] {
  const origin = `https://${typed}`;
  if (!/^[^/?#@\\\s]+$/.test(typed) || !URL.canParse(origin)) return [];
  const { hostname, port } = new URL(origin);
  const ports = port !== '' ? [port] : typed.endsWith(':443') ? ['443'] : ['443', '80'];
  return ports.map((one) => indexHost(vault, `${hostname}:${one}`));
}

const indexHost = (vault: Vault, host: string) => vault.index('delivery.destination_host', host);
