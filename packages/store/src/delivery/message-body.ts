import type { ResponseModel } from '@insurance-verification/schema';
import { SealBrokenError } from '../encryption/seal.ts';

/** What a message is made of. The texts are the JSON that is stored, in UTF-8. */
export interface MessageParts {
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
 * The body of a result's message, a `ResponseModel`: the request block and the timestamps are ours, and only the finding
 * comes from the verifier. It is put together from the stored texts at each claim rather than stored beside them, where it
 * was a third of a request's bytes. The texts are neither parsed nor decoded, and they never change, so every attempt has
 * the same bytes.
 *
 * A later version that changes these bytes must keep this text for older results: receivers know a message by its
 * id, and may compare its body.
 * @throws {SealBrokenError} when the finding is no text of ours.
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
    throw new SealBrokenError('A stored finding has another form.');
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
