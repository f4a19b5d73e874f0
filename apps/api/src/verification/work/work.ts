import {
  CALL_BACK_DAYS,
  type Caller,
  type ClaimedWork,
  claimRequest,
  claimWork,
  endCall,
  failWork,
  heartbeatWork,
  listCallBacks,
  planCallBack,
  releaseWork,
  retakeLease,
  startCall,
  takeBackWork,
} from '@insurance-verification/store';
import { stillAdmitted } from '../../procedure/admit.ts';
import type { App } from '../../procedure/context/app.ts';
import { ValidationFailedError } from '../../procedure/problem.ts';
import type { Handlers } from '../../procedure/procedure.ts';
import { refuse } from '../../procedure/refuse.ts';
import { workStats } from '../work-stats.ts';
import { correct, submit } from './submit-work.ts';
import { toWorkItem } from './to-work-item.ts';
import { openTimesOf, toWorkPayer } from './to-work-payer.ts';
import { traceLease } from './trace-lease.ts';

/** The work queue: a lease from its claim to its end. */
export const work: Handlers<'work'> = {
  claim: async ({ ctx: { app, call, caller }, input }) => {
    const { payers, workLeaseSeconds: leaseSeconds } = app.config;
    const wanted = input.payers && new Set(input.payers.map((name) => payers.idOf(name)));
    const claim = {
      caller,
      channels: input.channels,
      routes: payers.routes.filter(({ payerId }) => wanted?.has(payerId) ?? true),
      limit: input.max,
      leaseSeconds,
    };
    const works = await app.longPolls.waitFor({
      key: JSON.stringify([
        caller.mode,
        caller.verifyWithin,
        [...new Set(input.channels)].toSorted(),
        claim.routes.map(({ payerId }) => payerId),
      ]),
      milliseconds: input.wait_seconds * 1_000,
      signal: call.gone,
      look: async () => {
        const verifyWithin = (await stillAdmitted(call, 'work.claim'))?.verifyWithin;
        const { verifyWithin: _, ...unbounded } = caller;
        const bounded = { ...unbounded, ...(verifyWithin && { verifyWithin }) };
        return (await claimWork(app.store, { ...claim, caller: bounded })).works;
      },
    });
    try {
      // The key may have been revoked during the look that leased these.
      if (works.length > 0) await stillAdmitted(call, 'work.claim');
    } catch (err) {
      await giveBack(app, caller, works);
      throw err;
    }
    // The client will never learn of these leases: others get the requests at once, not when the leases end.
    if (call.gone.aborted) await giveBack(app, caller, works);
    else
      for (const leased of works) traceLease(app, leased, { operation: 'work.claim', keyId: caller.keyId });
    return { items: works.flatMap((leased) => toWorkItem(app, leased) ?? []) };
  },

  claimRequest: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, channels, take_over: takesOver = false } = input;
    const { payers, workLeaseSeconds: leaseSeconds } = app.config;
    const { gone } = call;
    const claim = { caller, requestId, channels, routes: payers.routes, leaseSeconds };
    let claimed = await claimRequest(app.store, claim);
    if (claimed.kind === 'leased' && takesOver) {
      const retaken = await retakeLease(app.store, claim);
      if (retaken.kind === 'claimed') claimed = retaken;
    }
    if (claimed.kind !== 'not_found') call.concerns(requestId);
    if (claimed.kind !== 'claimed') return refuse(claimed);
    const { work: leased } = claimed;
    // The client will never learn of this lease: others get the request at once, not when the lease ends.
    if (gone.aborted) await releaseWork(app.store, { caller, requestId, leaseToken: leased.leaseToken });
    else traceLease(app, leased, { operation: 'work.claimRequest', keyId: caller.keyId });
    return toWorkItem(app, leased) ?? refuse({ kind: 'not_found' });
  },

  heartbeat: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, lease_token: leaseToken } = input;
    const { workLeaseSeconds: leaseSeconds } = app.config;
    const renewed = await heartbeatWork(app.store, { caller, requestId, leaseToken, leaseSeconds });
    if (renewed.kind !== 'renewed') return refuse(renewed);
    call.concerns(requestId);
    return renewed.lease;
  },

  startCall: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, lease_token: leaseToken, place = 'phone' } = input;
    const sessionId = caller.session?.sessionId;
    const started = await startCall(app.store, { caller, requestId, leaseToken, sessionId, place });
    if (started.kind !== 'started') return refuse(started);
    call.concerns(requestId);
    return { lease_expires_at: started.leaseUntil.toISOString() };
  },

  endCall: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, lease_token: leaseToken } = input;
    const { workLeaseSeconds: leaseSeconds } = app.config;
    const sessionId = caller.session?.sessionId;
    const lease = { caller, requestId, leaseToken, sessionId, leaseSeconds };
    const ended = await endCall(app.store, lease);
    if (ended.kind !== 'ended') return refuse(ended);
    call.concerns(requestId);
    return { lease_expires_at: ended.leaseUntil.toISOString() };
  },

  release: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, lease_token: leaseToken, reason } = input;
    const { kind } = await releaseWork(app.store, { caller, requestId, leaseToken, reason });
    if (kind !== 'released') return refuse({ kind });
    call.concerns(requestId);
    return { status: kind };
  },

  fail: async ({ ctx: { app, call, caller }, input }) => {
    const failed = await failWork(app.store, {
      caller,
      routes: app.config.payers.routes,
      requestId: input.request_id,
      leaseToken: input.lease_token,
      errorReason: input.error_reason,
      evidence: { note: input.note, reference: input.reference, representative: input.representative },
      final: input.final ?? false,
    });
    if (failed.kind === 'not_found' || failed.kind === 'lease_lost' || failed.kind === 'erased')
      return refuse(failed);
    call.concerns(input.request_id);
    if (failed.kind === 'next_channel') return { status: failed.kind, next_channel: failed.channel };
    app.wakeDelivery();
    return { status: failed.kind, next_channel: null };
  },

  submit,

  correct,

  takeBack: async ({ ctx: { app, call, caller }, input: { request_id: requestId } }) => {
    const { payers, workLeaseSeconds: leaseSeconds } = app.config;
    const taken = await takeBackWork(app.store, { caller, requestId, routes: payers.routes, leaseSeconds });
    if (taken.kind !== 'not_found') call.concerns(requestId);
    if (taken.kind !== 'claimed') return refuse(taken);
    const { work: leased } = taken;
    if (call.gone.aborted) await releaseWork(app.store, { caller, requestId, leaseToken: leased.leaseToken });
    else traceLease(app, leased, { operation: 'work.takeBack', keyId: caller.keyId });
    return toWorkItem(app, leased) ?? refuse({ kind: 'not_found' });
  },

  callBack: async ({ ctx: { app, call, caller }, input }) => {
    const { request_id: requestId, lease_token: leaseToken, at, who, ...evidence } = input;
    const plan = {
      routes: app.config.payers.routes,
      caller,
      requestId,
      leaseToken,
      at: new Date(at),
      isOwn: who === 'me',
      evidence,
    };
    const planned = await planCallBack(app.store, plan);
    switch (planned.kind) {
      case 'parked':
        call.concerns(requestId);
        return { status: planned.kind };
      case 'not_ahead':
        return refuseTime(`A call-back is in the next ${CALL_BACK_DAYS} days`, 'call_back_not_ahead');
      case 'after_needed_by':
        return refuseTime(
          `The result is needed by ${planned.neededBy.toISOString()}: call back before then`,
          'call_back_after_needed_by',
        );
      case 'not_by_phone':
        return refuseTime('Only a request that is verified by phone has a call-back', 'not_by_phone');
      default:
        return refuse(planned);
    }
  },

  callBacks: async ({ ctx: { app, caller } }) => {
    const ofAll = [...caller.scopes, ...(caller.readScopes ?? [])].includes('operate');
    return { items: await listCallBacks(app.store, { caller, ofAll, routes: app.config.payers.routes }) };
  },

  payers: async ({ ctx: { app } }) => {
    const { all } = app.config.payers;
    return { items: all.map(toWorkPayer), open_times: all.flatMap(openTimesOf) };
  },

  ...workStats,
};

function refuseTime(msg: string, type: string): never {
  throw new ValidationFailedError([{ loc: ['body', 'at'], msg, type }]);
}

async function giveBack({ store }: App, caller: Caller, works: readonly ClaimedWork[]): Promise<void> {
  for (const { requestId, leaseToken } of works) await releaseWork(store, { caller, requestId, leaseToken });
}
