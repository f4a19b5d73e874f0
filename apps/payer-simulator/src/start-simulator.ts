import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EligibilityInquiry,
  type EnvelopeOptions,
  type Interchange,
  readEligibilityInquiry,
  readInterchanges,
} from '@insurance-verification/x12';
import { write999, writeTa1 } from './acknowledge.ts';
import { write271 } from './answer-271.ts';
import { formOf, type PayloadForm, unwrap, wrap } from './payload.ts';
import { type Scenario, scenarioOf } from './scenarios.ts';

export interface SimulatorOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** If set, an inquiry needs `Authorization: Bearer <token>`. */
  readonly token?: string | undefined;
  /** PEM; if set, serves https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A running simulator. */
export interface PayerSimulator {
  readonly url: string;
  /** The raw inquiries in order of arrival. */
  readonly received: readonly string[];
  /** The highest number of concurrent inquiries. */
  readonly inFlightMax: number;
  stop(): Promise<void>;
}

/** Bytes of an inquiry; no 270 comes near that. */
const BODY_BYTES_MAX = 1_048_576;

/**
 * A payer that answers 270s with real 271s, or misbehaves: the member id decides (scenarios.ts). For tests and demos.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<PayerSimulator> {
  const received: string[] = [];
  const failureCounts = new Map<string, number>();
  const closing = new AbortController();
  let controlNumber = 0;
  let inFlight = 0;
  let inFlightMax = 0;

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const { token } = options;
    if (token !== undefined && req.headers.authorization !== `Bearer ${token}`)
      return void res.writeHead(401).end();
    if (req.method !== 'POST') return void res.writeHead(405, { allow: 'POST' }).end();
    const body = await readBody(req);
    if (body === null) return void res.writeHead(413, { connection: 'close' }).end();
    const form = formOf(req.headers['content-type'] ?? '');
    const text = unwrap(body, form);
    received.push(text);
    inFlight += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    try {
      await answer(text, form, res);
    } finally {
      inFlight -= 1;
    }
  };

  const answer = async (text: string, form: PayloadForm, res: ServerResponse) => {
    const { interchanges, faults } = readInterchanges(text);
    const [interchange] = interchanges;
    if (!interchange) return void res.writeHead(400).end('no X12');
    const envelope = envelopeBack(interchange, (controlNumber += 1));
    const say = (x12: string) => {
      const { contentType, body } = wrap(x12, form);
      res.writeHead(200, { 'content-type': contentType }).end(body);
    };
    const [group] = interchange.groups;
    const transaction = group?.transactions[0];
    if (faults.length > 0 || !group) return say(writeTa1(envelope, interchange.controlNumber, '024'));
    if (transaction?.id !== '270') return say(write999(envelope, group.controlNumber));
    const inquiry = readEligibilityInquiry(transaction);
    const scenario = scenarioOf(inquiry.subscriber.memberId);
    const write = (rows: ReturnType<Extract<Scenario, { kind: 'answer' }>['segments']>) =>
      write271(rows, envelope);
    switch (scenario.kind) {
      case 'answer':
        if (scenario.delayMs) await sleep(scenario.delayMs, undefined, { signal: closing.signal });
        return say(write271(scenario.segments(inquiry), envelope, scenario.shape));
      case 'reject_group':
        return say(write999(envelope, group.controlNumber));
      case 'reject_interchange':
        return say(writeTa1(envelope, interchange.controlNumber, '022'));
      case 'html':
        return void res
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<html><body>We will be back soon.</body></html>');
      case 'truncated': {
        const whole = write(coveredRows(inquiry));
        return say(whole.slice(0, Math.floor(whole.length * 0.7)));
      }
      case 'hang':
        return untilGone(res);
      case 'hang_midway':
        res.writeHead(200, { 'content-type': 'application/edi-x12' });
        res.write(write(coveredRows(inquiry)).slice(0, 200));
        return untilGone(res);
      case 'reset':
        return void res.socket?.resetAndDestroy();
      case 'no_http': // like a gateway that speaks another protocol on the payer's port
        return void res.socket?.end(write(coveredRows(inquiry)));
      case 'status': {
        const { status, times = Infinity, of = () => true } = scenario;
        if (!of(inquiry)) return say(write(coveredRows(inquiry)));
        const key = `${status} ${times} ${inquiry.traceId}`;
        const failedCount = failureCounts.get(key) ?? 0;
        failureCounts.set(key, failedCount + 1);
        if (failedCount >= times) return say(write(coveredRows(inquiry)));
        return void res.writeHead(status, { 'content-type': 'text/plain' }).end('simulated failure');
      }
    }
  };

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    handle(req, res).catch(() => res.destroy()); // the client disconnected, or the simulator is stopping
  };
  const server = options.tls ? createHttpsServer(options.tls, onRequest) : createHttpServer(onRequest);
  const { port = 0, host = '127.0.0.1' } = options;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${boundPort}/`,
    received,
    get inFlightMax() {
      return inFlightMax;
    },
    stop: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function coveredRows(inquiry: EligibilityInquiry) {
  const scenario = scenarioOf('SIM-ACTIVE');
  return scenario.kind === 'answer' ? scenario.segments(inquiry) : [];
}

/** Swaps sender and receiver. */
function envelopeBack({ senderId, receiverId, usage }: Interchange, controlNumber: number): EnvelopeOptions {
  return {
    sender: { qualifier: 'ZZ', id: receiverId },
    receiver: { qualifier: 'ZZ', id: senderId },
    controlNumber,
    writtenAt: new Date(),
    usage: usage === 'P' ? 'P' : 'T',
  };
}

async function readBody(req: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += (chunk as Buffer).length;
    if (length > BODY_BYTES_MAX) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Stays silent until the client disconnects. */
function untilGone(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => res.once('close', resolve));
}
