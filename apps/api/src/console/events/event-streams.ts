import type { ServerResponse } from 'node:http';
import {
  findSession,
  type SessionStanding,
  standingOfSessions,
  type Store,
} from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import { requireAddress } from '../../procedure/admit.ts';
import type { CallState, EventStreams } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import type { Log } from '../../telemetry/log.ts';
import { requireSameOrigin } from '../admit-anonymous.ts';
import { readProof } from '../session/console-cookie.ts';
import { type HintCounts, hintsFor } from './hints.ts';

/**
 * Milliseconds between heartbeats: below the 60 s after which common proxies cut a silent connection. Pages count a
 * stream as lost after three of them.
 */
const HEARTBEAT_MS = 15_000;

/** Milliseconds between checks of the sessions, for those that expired and for missed notifications. */
const CHECK_MS = 5_000;

/** The most streams of one session; the oldest is closed. A browser needs one, or one a tab where tabs cannot share. */
const SESSION_STREAMS_MAX = 20;

/** The most unsent bytes of a stream. A reader that no longer reads is disconnected. */
const WAITING_BYTES_MAX = 16_384;

interface EventStream {
  readonly res: ServerResponse;
  readonly sessionId: string;
  standing: SessionStanding;
  /** The scopes and the account as text; streams with equal ones are sent the same. */
  view: string;
}

/** The streams of one process; sends hints to them, and ends them. */
export function createEventStreams(
  store: Store,
  log: Log,
): EventStreams & {
  readonly send: (counts: HintCounts) => void;
  /** Ends all streams, and later ones at once. */
  readonly close: () => void;
} {
  const streams = new Set<EventStream>();
  let timers: NodeJS.Timeout[] = [];
  let closed = false;

  const write = ({ res }: EventStream, text: string) => {
    if (res.writableLength > WAITING_BYTES_MAX) res.destroy();
    else res.write(text);
  };

  /** Ends the streams of ended sessions and suspended accounts (`ended`), and sends `person` to those whose scopes have changed. */
  const check = async () => {
    const ids = new Set([...streams].map(({ sessionId }) => sessionId));
    if (ids.size === 0) return;
    const standings = await standingOfSessions(store, [...ids]);
    for (const stream of streams) {
      if (!ids.has(stream.sessionId)) continue; // it came meanwhile
      const standing = standings.get(stream.sessionId);
      if (!standing) {
        streams.delete(stream);
        stream.res.end(eventText('ended', {}));
      } else if (viewOf(standing) !== stream.view) {
        Object.assign(stream, { standing, view: viewOf(standing) });
        write(stream, eventText('person', {}));
      }
    }
  };
  const checkNow = () =>
    void check().catch((err: unknown) =>
      log.debug({ err }, 'sessions unread; the streams stay until they are'),
    );

  const leave = (stream: EventStream) => {
    streams.delete(stream);
    if (streams.size > 0) return;
    for (const timer of timers) clearInterval(timer);
    timers = [];
  };
  const begin = () => {
    const beat = () => {
      for (const stream of streams) write(stream, ':\n\n');
    };
    timers = [setInterval(beat, HEARTBEAT_MS).unref(), setInterval(checkNow, CHECK_MS).unref()];
  };

  return {
    add: (res, sessionId, standing) => {
      const own = [...streams].filter((stream) => stream.sessionId === sessionId);
      if (own.length >= SESSION_STREAMS_MAX) own[0]?.res.end();
      const stream = { res, sessionId, standing, view: viewOf(standing) };
      res.once('close', () => leave(stream));
      res.write(':\n\n'); // sends the headers, so that the page knows it is connected
      if (closed) return void res.end();
      streams.add(stream);
      if (timers.length === 0) begin();
    },
    send: (counts) => {
      if (streams.size === 0) return;
      if (counts.session) checkNow();
      const texts = new Map<string, string | null>();
      for (const stream of streams) {
        let text = texts.get(stream.view);
        if (text === undefined) {
          const hints = hintsFor(stream.standing, counts);
          texts.set(stream.view, (text = hints && eventText('hints', hints)));
        }
        if (text !== null) write(stream, text);
      }
    },
    close: () => {
      closed = true;
      for (const { res } of streams) res.end();
    },
  };
}

const eventText = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const viewOf = ({ scopes, readScopes = [], accountId }: SessionStanding): string =>
  [...scopes, '|', ...readScopes, '|', accountId].join(' ');

/**
 * `GET /console/events`: server-sent events for a session, until it ends. `hints` says what kinds of things changed
 * ({@link ConsoleHints}), `person` that what the person may do has changed, `ended` that the session has ended.
 */
export async function openEvents(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'console.events';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  // An open page does not count as use of the session: the session must end when the person is away.
  const found = await findSession(app.store, { ...readProof(koa), accountId: undefined, isUse: false });
  if (found.kind !== 'found') throw new ProblemError('signed_out');
  const { person } = found;
  if (person.suspended) throw new ProblemError('account_suspended');
  call.key = person;
  requireAddress(person, call);
  koa.status = 200;
  koa.type = 'text/event-stream';
  koa.set('cache-control', 'no-store, no-transform');
  koa.set('x-accel-buffering', 'no'); // nginx would collect the events
  if (koa.method === 'HEAD') return;
  koa.respond = false;
  app.events.add(koa.res, person.session.sessionId, person);
}
