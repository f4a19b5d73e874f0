import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
import { holdStream } from './hold-stream.ts';
import type { KnownProblem } from './problem-at.ts';
import { refuse } from './refuse.ts';
import type { Session, Sessions } from './sessions.ts';

interface SessionOptions {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly problem: (code: ProblemCode) => KnownProblem;
}

/** A GET opens a session's stream, a DELETE ends the session. */
export async function serveSession(
  req: IncomingMessage,
  res: ServerResponse,
  { sessions, session, problem }: SessionOptions,
): Promise<void> {
  if (req.method === 'DELETE') {
    sessions.end(session);
    res.writeHead(204).end();
  } else if (sessions.takeStream(session)) {
    await holdStream(res, session);
  } else {
    refuse(req, res, problem('method_not_allowed')); // what the protocol requires of a server that offers no stream
  }
}
