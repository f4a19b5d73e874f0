import type { VerificationSource } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aged } from '../../test/ground/an-aged-request.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
  type StoredRequest,
  submit,
} from '../../test/ground/stages.ts';
import { aRoute, claimOne, fail, submitFound, workQueue } from '../../test/ground/work-queue.ts';
import {
  applyHeldOutput,
  type Caller,
  closeRequest,
  correctWork,
  eraseDue,
  getProof,
  viewRequest,
} from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const clinic = await anAccount(store);
const operator = aPlatformCaller();
const WHY = 'I typed the line above.';

async function versionsOf(requestId: string, caller: Caller = clinic) {
  const viewed = await viewRequest(store, { caller, requestId, routes: [], makesRequests: true });
  if (viewed.kind !== 'found') throw new Error(`Request ${requestId}: ${viewed.kind}.`);
  return viewed.view.versions;
}

/** Moves all that happened to a request ten minutes back, as if that time had passed. */
async function letPass(requestId: string, minutes = 10) {
  const past = 'make_interval(mins => $2)';
  for (const [table, columns, id] of [
    ['verification_attempt', ['started_at', 'ended_at', 'decided_at'], 'request_id'],
    ['result', ['applied_at'], 'request_id'],
    ['held_output', ['received_at', 'settled_at'], 'coalesce(request_id, named_request_id)'],
  ] as const)
    await sql(
      `update ${table} set ${columns.map((column) => `${column} = ${column} - ${past}`).join(', ')} where ${id} = $1`,
      [requestId, minutes],
    );
}

/** What is known of the asking, before anyone decides: the last attempt of the verifier, or the time of an output. */
interface Asked {
  readonly requestId: string;
  /** Null: a sender without a key. */
  readonly by: string | null;
  readonly heldId?: string;
  readonly channel?: VerificationSource;
  readonly reference?: string | null;
  readonly representative?: string | null;
}

const phone = ['manual_phone_call'] as const;
const entry = (notes = 'as read') => anEntry({ verification_source: 'manual_phone_call', notes });

/** A request that a verifier has leased for eight minutes, by phone. */
async function leased(verifier = aPlatformCaller(), channel: VerificationSource = 'manual_phone_call') {
  await queue.empty();
  const request = await intake(store, clinic);
  const routes = [aRoute([channel], { holdsAgentResults: channel === 'agent_web_portal' })];
  const work = await claimOne(store, { caller: verifier, routes, channels: [channel] });
  await letPass(work.requestId, 8);
  return { request, work, verifier, routes, requestId: work.requestId };
}

const SAID = { reference: 'REF-77', representative: 'Morgan' };

async function submitted() {
  const own = await leased();
  await submitFound(store, own.work, {
    caller: own.verifier,
    insuranceData: [entry()],
    evidence: { ...SAID, note: 'Only for colleagues.' },
  });
  return own;
}

interface Correcting {
  readonly requestId: string;
  readonly verifier: Caller;
}

async function correct(
  { requestId, verifier }: Correcting,
  notes: string,
  evidence: { readonly reference?: string; readonly representative?: string } = {},
) {
  const corrected = await correctWork(store, {
    caller: verifier,
    requestId,
    insuranceData: [entry(notes)],
    errorReason: null,
    evidence: { ...evidence, correctionReason: WHY },
    routes: [aRoute(phone)],
  });
  return corrected.kind === 'held' ? corrected.heldId : corrected.kind;
}

async function heldOf(own: Awaited<ReturnType<typeof leased>>): Promise<string> {
  const held = await submitFound(store, own.work, {
    caller: own.verifier,
    routes: own.routes,
    evidence: SAID,
  });
  if (held.kind !== 'held') throw new Error(`The agent's result was not held: ${held.kind}.`);
  return held.heldId;
}

/** Every way in which a result comes to be, up to the operator's click where there is one. */
const WAYS: Readonly<Record<string, () => Promise<Asked>>> = {
  'submitted under a lease': async () => {
    const { requestId, verifier } = await submitted();
    return { requestId, by: verifier.keyId, ...SAID };
  },
  'posted with a key': async () => {
    const [verifier, request] = [aPlatformCaller(), await intake(store, clinic)];
    await submit(store, anOutput(request), { caller: verifier });
    return { requestId: request.request_id, by: verifier.keyId, channel: 'agent_web_portal' };
  },
  'corrected at once': async () => {
    const own = await submitted();
    await correct(own, 'right');
    return { requestId: own.requestId, by: own.verifier.keyId, ...SAID };
  },
  'corrected at once, with another reference': async () => {
    const own = await submitted();
    await correct(own, 'right', { reference: 'REF-78' });
    return { requestId: own.requestId, by: own.verifier.keyId, ...SAID, reference: 'REF-78' };
  },
  'corrected later': async () => {
    const own = await submitted();
    await letPass(own.requestId);
    const heldId = await correct(own, 'right', { representative: 'Casey' });
    return { requestId: own.requestId, by: own.verifier.keyId, heldId, ...SAID, representative: 'Casey' };
  },
  'corrected twice, at once and later': async () => {
    const own = await submitted();
    await correct(own, 'better', { reference: 'REF-78' });
    await letPass(own.requestId);
    const heldId = await correct(own, 'right');
    return { requestId: own.requestId, by: own.verifier.keyId, heldId, ...SAID, reference: 'REF-78' };
  },
  'corrected twice, both later': async () => {
    const own = await submitted();
    await letPass(own.requestId);
    const first = await correct(own, 'better');
    await letPass(own.requestId);
    await applyHeldOutput(store, { caller: operator, heldId: first });
    await letPass(own.requestId);
    const heldId = await correct(own, 'right');
    return { requestId: own.requestId, by: own.verifier.keyId, heldId, ...SAID };
  },
  'corrected later, after another verifier’s result': async () => {
    const own = await submitted();
    await letPass(own.requestId);
    const heldId = await correct(own, 'right');
    const other = await hold(store, anOutput(own.request, { notes: 'other' }));
    await letPass(own.requestId);
    await applyHeldOutput(store, { caller: operator, heldId: other });
    return { requestId: own.requestId, by: own.verifier.keyId, heldId, ...SAID };
  },
  'an agent’s result that is held': async () => {
    const own = await leased(aPlatformCaller(), 'agent_web_portal');
    const heldId = await heldOf(own);
    return { requestId: own.requestId, by: own.verifier.keyId, heldId, channel: 'agent_web_portal', ...SAID };
  },
  'an output with a key that is held': async () => {
    const [verifier, request] = [aPlatformCaller(), await intake(store, clinic)];
    const heldId = await hold(store, anOutput(request), { caller: verifier, trusted: false });
    return { requestId: request.request_id, by: verifier.keyId, heldId, channel: 'agent_web_portal' };
  },
  'an output that is held, of a lease that lapses': async () => {
    const own = await leased();
    const output = anOutput(own.request, { insurance_data: [entry()] });
    const heldId = await hold(store, output, { caller: own.verifier, trusted: false });
    await sql(
      `update verification_attempt set ended_at = now(), outcome = 'lease_expired' where request_id = $1`,
      [own.requestId],
    );
    return { requestId: own.requestId, by: own.verifier.keyId, heldId };
  },
  'an output without a key': async () => {
    const request = await intake(store, clinic);
    const heldId = await hold(store, anOutput(request), { caller: null, trusted: false });
    return { requestId: request.request_id, by: null, heldId, channel: 'agent_web_portal' };
  },
  'a failure that ends the request': async () => {
    const { work, verifier, requestId } = await leased();
    await fail(store, work, { caller: verifier, final: true, evidence: SAID });
    return { requestId, by: verifier.keyId, ...SAID };
  },
};

interface Times {
  readonly started_at: Date;
  readonly ended_at: Date;
}

/** From the attempt that asked the payer, or the time when the output came. */
async function timesOf({ requestId, by, heldId }: Asked): Promise<Times> {
  const [own] = await sql<Times>(
    `select attempt.started_at, least(attempt.ended_at, held.received_at) as ended_at
     from verification_attempt as attempt left join held_output as held on held.id = $3 and held.evidence is null
     where attempt.request_id = $1 and attempt.key_id = $2 order by number limit 1`,
    [requestId, by, heldId ?? null],
  );
  if (own?.ended_at) return own;
  const [held] = await sql<Times>(
    'select received_at as started_at, received_at as ended_at from held_output where id = $1',
    [heldId ?? null],
  );
  if (!held) throw new Error('Nothing says when the payer was asked.');
  return held;
}

// Without it the proof that a clinic files names the operator who clicked next to the payer's representative, whom that
// person never spoke with, and the minute of the click.
test.each(Object.entries(WAYS))(
  '%s: the record is of the one who asked the payer, when they did',
  async (_, make) => {
    const asked = await make();
    await letPass(asked.requestId);
    const { started_at: startedAt, ended_at: endedAt } = await timesOf(asked);
    const { requestId, heldId } = asked;
    if (heldId !== undefined)
      expect(await applyHeldOutput(store, { caller: operator, heldId })).toMatchObject({ requestId });
    const version = (await versionsOf(requestId)).at(-1);
    expect(version?.verification).toEqual({
      verified_by: asked.by,
      verified_by_name: null,
      started_at: startedAt.toISOString(),
      ended_at: endedAt.toISOString(),
      channel: asked.channel ?? 'manual_phone_call',
      reference: asked.reference ?? null,
      representative: asked.representative ?? null,
    });
    if (heldId !== undefined) {
      expect(version).toMatchObject({ applied_by: operator.keyId, held_id: heldId });
      const { applied_at: clickedAt = '' } = version ?? {};
      expect(Date.parse(clickedAt)).toBeGreaterThan(endedAt.getTime() + 9 * 60_000);
      expect(JSON.stringify([version?.verification, version?.correction])).not.toContain(clickedAt);
      expect(JSON.stringify([version?.verification, version?.correction])).not.toContain(operator.keyId);
    }
    const proof = await getProof(store, { caller: clinic, requestId, makesRequests: true });
    expect(proof).toMatchObject({ kind: 'found', proof: { versions: await versionsOf(requestId) } });
  },
);

/** The other request, without a result, that an operator gives what was said of the first one. */
test.each([
  'an agent’s result that is held',
  'an output with a key that is held',
  'an output without a key',
  'corrected later',
])('%s, applied to another request: the record is the same', async (way) => {
  const asked = await WAYS[way]?.();
  if (!asked?.heldId) throw new Error('It has no held output.');
  await letPass(asked.requestId);
  const { started_at: startedAt, ended_at: endedAt } = await timesOf(asked);
  const other: StoredRequest = await intake(store, clinic);
  const requestId = other.request_id;
  await applyHeldOutput(store, { caller: operator, heldId: asked.heldId, requestId });
  expect(await versionsOf(requestId)).toMatchObject([
    {
      applied_by: operator.keyId,
      correction: null,
      verification: {
        verified_by: asked.by,
        started_at: startedAt.toISOString(),
        ended_at: endedAt.toISOString(),
        channel: asked.channel ?? 'manual_phone_call',
        reference: asked.reference ?? null,
        representative: asked.representative ?? null,
      },
    },
  ]);
  const notes = await sql<{ evidence: Buffer | null }>(
    'select evidence from verification_attempt where request_id = $1',
    [requestId],
  );
  expect(JSON.stringify(notes)).not.toContain('Only for colleagues');
});

test('a correction has its own person, time and reason; what it corrects has none', async () => {
  const own = await submitted();
  await letPass(own.requestId);
  const heldId = await correct(own, 'right');
  const [held] = await sql<{ received_at: Date }>('select received_at from held_output where id = $1', [
    heldId,
  ]);
  await applyHeldOutput(store, { caller: operator, heldId });
  expect(await versionsOf(own.requestId)).toMatchObject([
    { version: 1, applied_by: own.verifier.keyId, correction: null },
    {
      version: 2,
      applied_by: operator.keyId,
      correction: {
        corrected_at: held?.received_at.toISOString(),
        reason: WHY,
      },
    },
  ]);
});

test('a request that was closed has no record', async () => {
  const { request_id: requestId } = await intake(store, clinic);
  await closeRequest(store, { caller: clinic, requestId, reason: 'withdrawn' });
  expect(await versionsOf(requestId)).toMatchObject([{ verification: null, correction: null }]);
});

// Without it a name, a number and a sentence that a person typed would outlive the erasure.
test('once the request is erased the record has neither reference nor representative, and the correction no reason', async () => {
  const own = await submitted();
  await correct(own, 'right');
  const text = JSON.stringify(await versionsOf(own.requestId));
  for (const said of [WHY, SAID.reference, SAID.representative]) expect(text).toContain(said);
  await finish(store, await claimFor(store, own.requestId));
  const requestId = await aged(stores, own.requestId, 40);
  await sql('update account set retention_days = 30 where id = $1', [clinic.accountId]);
  await eraseDue(store, { limit: 100, after: undefined });
  const versions = await versionsOf(requestId);
  for (const said of [WHY, SAID.reference, SAID.representative])
    expect(JSON.stringify(versions)).not.toContain(said);
  expect(versions.at(-1)).toMatchObject({
    verification: { verified_by: own.verifier.keyId, reference: null, representative: null },
    correction: { reason: null },
  });
});
