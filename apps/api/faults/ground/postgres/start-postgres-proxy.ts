import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Ground } from '../../fault-row.ts';
import { type PostgresMessage, splitMessages } from './postgres-messages.ts';

/** The moment in a statement's life when something is to happen. */
export interface Moment {
  readonly statement: (text: string) => boolean;
  /** Before: the server never receives it. After: it is committed, and the client is not told. */
  readonly at: 'before commit' | 'after commit';
  /** `cut` closes that connection; `freeze` holds every byte of all connections from then on. */
  readonly act: 'cut' | 'freeze';
  /** Only when a row of the answer contains this text: a claim that found nothing does not count. */
  readonly answering?: string;
}

export interface PostgresProxy {
  /** The same database, through the proxy. */
  readonly databaseUrl: string;
  /** Resolves once, when the moment has come. */
  readonly when: (moment: Moment) => Promise<void>;
  /** Stops all traffic on the existing connections without closing them; new ones work if `newPass`. */
  readonly freeze: (options: { newPass: boolean }) => void;
  readonly thaw: () => void;
}

interface Session {
  readonly near: Socket;
  readonly far: Socket;
  readonly statements: Map<string, string>;
  frozen: boolean;
  /** The last ReadyForQuery: no transaction, in one, in a failed one. */
  status: string;
  /** The moment's statement ran in an open transaction: its COMMIT decides. */
  awaitsCommit: boolean;
  /** The deciding statement is running: its answer is withheld. */
  isDeciding: boolean;
  withheld: Buffer[];
  answered: boolean;
}

/** A proxy with enough of PostgreSQL's protocol to stop at a statement or its commit. */
export async function startPostgresProxy({ stack }: Ground, databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sessions = new Set<Session>();
  let armed: { moment: Moment; reached: () => void } | undefined;
  let newAreFrozen = false;

  const strike = (session: Session) => {
    const { moment, reached } = armed ?? {};
    armed = undefined;
    if (moment?.act === 'freeze') for (const each of sessions) each.frozen = true;
    else {
      session.frozen = true;
      session.near.destroy();
      session.far.destroy();
    }
    reached?.();
  };

  const fromClient = (session: Session, bytes: Buffer, text: string | undefined) => {
    if (session.frozen) return;
    if (armed && text !== undefined) {
      const { moment } = armed;
      const decides = moment.statement(text)
        ? session.status === 'I'
        : session.awaitsCommit && /^commit/i.test(text);
      if (moment.statement(text)) {
        session.awaitsCommit = true;
        session.answered = false;
      }
      if (decides && moment.at === 'before commit') return strike(session);
      if (decides) session.isDeciding = true;
    }
    session.far.write(bytes);
  };

  const fromServer = (session: Session, message: PostgresMessage) => {
    if (session.frozen) return;
    const status = message.readyStatus();
    session.answered ||= message.isRow() && message.bytes.includes(armed?.moment.answering ?? '');
    if (session.isDeciding) session.withheld.push(message.bytes);
    else session.near.write(message.bytes);
    if (status === undefined) return;
    session.status = status;
    if (status !== 'I') return;
    session.awaitsCommit = false;
    if (!session.isDeciding) return;
    session.isDeciding = false;
    if (armed && (session.answered || armed.moment.answering === undefined)) return strike(session);
    for (const bytes of session.withheld.splice(0)) session.near.write(bytes);
  };

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const session: Session = {
      near,
      far,
      statements: new Map(),
      frozen: newAreFrozen,
      status: 'I',
      awaitsCommit: false,
      isDeciding: false,
      withheld: [],
      answered: false,
    };
    sessions.add(session);
    const onClient = splitMessages({ hasStartup: true });
    const onServer = splitMessages({ hasStartup: false });
    near.on('data', (chunk) => {
      for (const message of onClient(chunk))
        fromClient(session, message.bytes, message.statement(session.statements));
    });
    far.on('data', (chunk) => {
      for (const message of onServer(chunk)) fromServer(session, message);
    });
    for (const socket of [near, far]) {
      socket.on('error', () => undefined); // only the following close counts
      socket.on('close', () => {
        sessions.delete(session);
        near.destroy();
        far.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.close();
    for (const { near, far } of sessions) {
      near.destroy();
      far.destroy();
    }
  });
  const through = new URL(databaseUrl);
  through.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: through.href,
    when: (moment) => new Promise((reached) => (armed = { moment, reached })),
    freeze: ({ newPass }) => {
      newAreFrozen = !newPass;
      for (const session of sessions) session.frozen = true;
    },
    thaw: () => (newAreFrozen = false),
  };
}

/** A worker's claim, and the statement that records an attempt's outcome. */
export const isClaim = (text: string) => text.includes('claim_deliveries_');
export const isFinish = (text: string) => text.includes('finish_attempts_');
