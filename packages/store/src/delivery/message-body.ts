import type { ResponseModel } from '@insurance-verification/schema';
import { SealBrokenError } from '../encryption/seal.ts';

/** What a message is made of. The texts are the JSON that is stored. */
export interface MessageParts {
  readonly requestId: string;
  readonly receivedTimestamp: string;
  readonly outcome: ResponseModel['request']['state'];
  /** A `RequestInfo`. */
  readonly inputText: string;
  /** A `StoredFinding`. */
  readonly findingText: string;
}

const REASON = '{"errorReason":';
const DATA = ',"insuranceData":';

/**
 * The body of a result's message, a `ResponseModel`: the request block and the timestamps are ours, and only the finding
 * comes from the verifier. It is put together from the stored texts at each claim rather than stored beside them, where it
 * was a third of a request's bytes. The texts are not parsed, and they never change, so every attempt has the same bytes.
 *
 * A later version that changes these bytes must keep this text for the results of before: receivers tell a message by its
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
  if (!findingText.startsWith(REASON) || dataAt === -1)
    throw new SealBrokenError('A stored finding has another form.');
  const reason = findingText.slice(REASON.length, dataAt);
  const data = findingText.slice(dataAt + DATA.length, -1);
  return Buffer.from(
    `{"request":{"request_id":${JSON.stringify(requestId)},"input":${inputText}` +
      `,"received_timestamp":${JSON.stringify(receivedTimestamp)},"state":${JSON.stringify(outcome)}` +
      `,"error_reason":${reason}},"insurance_data":${data}}`,
  );
}
