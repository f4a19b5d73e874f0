import { findSession } from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { requireAddress } from '../../procedure/require-address.ts';
import { requireSameOrigin } from '../require-same-origin.ts';
import { readProof } from '../session/browser-proof.ts';

/**
 * `GET /console/events`: server-sent events for a session, until it ends. `hints` says what kinds of things changed
 * ({@link ConsoleHints}), `person` that what the person may do has changed, `ended` that the session has ended.
 */
export async function openEvents(koa: ParameterizedContext<CallState>): Promise<void> {
  koa.state.operation = 'console.events';
  requireSameOrigin(koa);
  const { app, call } = koa.state.context;
  // An open page is no use of the session: it must end when nobody is there.
  const found = await findSession(app.store, { ...readProof(koa), accountId: undefined, isUse: false });
  if (found.kind !== 'found') throw new ProblemError('signed_out');
  const { person } = found;
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
