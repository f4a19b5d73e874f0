import { randomUUID } from 'node:crypto';
import type { PayerConnection } from '../../config/payer-connection.ts';

/** What is posted. */
export interface WrappedInquiry {
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
