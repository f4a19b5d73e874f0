import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WEBHOOK_HEADERS, WebhookVerificationError } from '@insurance-verification/client';

/** One call to the receiver. */
export interface ReceivedCall {
  readonly receivedAt: Date;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** `webhook-id`; null without one. */
  readonly id: string | null;
  /** `verification-version`; null without one. */
  readonly version: string | null;
  /** Why the signature check failed; null when the call is verified. */
  readonly refusal: WebhookVerificationError | null;
  /** The body parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
}

export interface Receiver {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** One match suffices: during a rotation both secrets sign. */
  readonly secrets: readonly string[];
  readonly received: (call: ReceivedCall) => void;
}

/** Far above any result. A longer body is cut and then fails its signature. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * A local receiver like a provider's: answers 200 to verified calls and 400 to all others.
 * @throws the system's error when the port is not available.
 */
export async function startReceiver({ port, secrets, received }: ReceiverOptions): Promise<Receiver> {
  const server = createServer(async (req, res) => {
    try {
      const call = await receive(req, secrets);
      res.writeHead(call.refusal ? 400 : 200, { 'content-type': 'text/plain' });
      res.end(call.refusal ? `${call.refusal.reason}\n` : 'ok\n');
      received(call);
    } catch {
      res.destroy(); // the sender disconnected mid-body
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

async function receive(req: IncomingMessage, secrets: readonly string[]): Promise<ReceivedCall> {
  const receivedAt = new Date();
  const bytes = await readBytes(req);
  return {
    receivedAt,
    method: req.method ?? '',
    path: req.url ?? '',
    headers: req.headers,
    id: headerOf(req, WEBHOOK_HEADERS.id),
    version: headerOf(req, WEBHOOK_HEADERS.verificationVersion),
    refusal: await refusalOf(req.headers, bytes, secrets),
    body: parseOrUndefined(bytes.toString('utf8')),
  };
}

async function readBytes(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    byteCount += chunk.length;
    if (byteCount <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function refusalOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
): Promise<WebhookVerificationError | null> {
  try {
    await verifyWebhook({ headers, body, secrets });
    return null;
  } catch (err) {
    if (err instanceof WebhookVerificationError) return err;
    throw err;
  }
}

function headerOf(req: IncomingMessage, name: string): string | null {
  const value = req.headers[name];
  return typeof value === 'string' ? value : null;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
