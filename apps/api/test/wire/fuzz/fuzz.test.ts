import { anOutput } from '@insurance-verification/testing/an-output';
import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOOTSTRAP_KEY, startTestService, type TestService } from '../../a-service.ts';
import { aStoredRequest } from '../../a-stored-request.ts';
import { alwaysAccepted, arbitraryCall, type Call, type Known } from './arbitrary-call.ts';
import { MARK } from './arbitrary-of.ts';
import type { Document } from './document.ts';

// An unhandled rejection fails the run: vitest reports it.

/** Nightly runs set more. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 2_000);

let service: TestService;
let pool: Pool;
let document: Document;
let known: Known;
beforeAll(async () => {
  service = await startTestService({ env: { ROLES: 'http', MAX_BODY_BYTES: '20000', LOG_LEVEL: 'warn' } });
  pool = new Pool(service.url, { connections: 1 });
  document = neverWaiting(await service.answer<Document>('GET', '/openapi.json'));
  known = { key: BOOTSTRAP_KEY, ids: await someIds() };
});
afterAll(async () => {
  await pool.close();
  await service.stop();
});

/**
 * The document with `wait_seconds` limited to 0: otherwise a claim that finds nothing would wait up to 25 s, hundreds
 * of times.
 */
function neverWaiting(given: Document): Document {
  const { ClaimWork, ...schemas } = given.components.schemas;
  const waitSeconds = { type: 'integer', minimum: 0, maximum: 0 };
  const claim = { ...ClaimWork, properties: { ...ClaimWork?.properties, wait_seconds: waitSeconds } };
  return { ...given, components: { schemas: { ...schemas, ClaimWork: claim } } };
}

async function someIds(): Promise<string[]> {
  const requests = await Promise.all([1, 2, 3].map(() => aStoredRequest(service)));
  await Promise.all(
    requests.slice(1).map((request) => service.answer('POST', '/verification-output', anOutput(request))),
  );
  for (const subscriber_id of ['x', 'y', 'z']) {
    const stranger = await aStoredRequest(service, { patient_info: { subscriber_id } });
    await service.answer('POST', '/verification-output', anOutput(stranger, { request_id: null }));
  }
  const { items } = await service.answer<{ items: { held_id: string }[] }>('GET', '/held-outputs');
  return [...requests.map(({ request_id }) => request_id), ...items.map(({ held_id }) => held_id)];
}

async function ask({ method, path, headers, body }: Call): Promise<{ status: number; text: string }> {
  const answer = await pool.request({ method, path, headers, body });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** The allowed forms of an error over REST and tRPC: the 422's list, or a problem. */
function isOurs(call: Call, status: number, text: string): boolean {
  const json = JSON.parse(text) as {
    detail?: unknown;
    error?: { code: number; message: string; data: Record<string, unknown> };
  };
  const error = call.isTrpc ? json.error?.data : json;
  if (!error) return false;
  if (status === 422) {
    const detail = error['detail'] as Record<string, unknown>[];
    return detail.length > 0 && detail.every((entry) => Object.keys(entry).join() === 'loc,msg,type');
  }
  const problem = (call.isTrpc && 'problem' in error ? error['problem'] : error) as Record<string, unknown>;
  const { violated_policies: policies, lease, hold_id: holdId, ...rest } = problem;
  if (lease !== undefined && problem['code'] !== 'request_leased') return false;
  if (holdId !== undefined && problem['code'] !== 'legal_hold') return false;
  if (policies !== undefined && (status !== 429 || !Array.isArray(policies) || policies.length === 0))
    return false;
  return problem['status'] === status && Object.keys(rest).join() === 'type,title,status,detail,code';
}

test(
  `${CASES} calls from the document get documented answers that show nothing of what was sent`,
  { timeout: 60_000 + CASES * 50 },
  async () => {
    const seen = new Map<number, number>();
    let acceptedCount = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryCall(document, known), async (call) => {
        const { status, text } = await ask(call);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (status === 200 && alwaysAccepted.has(call.operationId)) acceptedCount += 1;
        expect(status).toBeLessThan(500);
        expect(call.documented).toContain(status);
        if (call.isValid) expect([200, 429]).toContain(status);
        if (status < 300) return;
        expect(withoutUnknownNames(text)).not.toContain(MARK);
        expect(isOurs(call, status, text)).toBe(true);
      }),
      { numRuns: CASES },
    );
    // Guards the generator: one that only made noise would get nothing but refusals. Each is a quarter of what 2,000
    // calls get: what one operation answers is a handful of them, and now and then none.
    expect(acceptedCount).toBeGreaterThan(4);
    expect(seen.get(200)).toBeGreaterThan(120);
    expect(seen.get(404)).toBeGreaterThan(120);
    expect(seen.get(409)).toBeGreaterThan(8);
    expect(seen.get(422)).toBeGreaterThan(150);
    expect(service.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  },
);

/** An answer without the names that it gives back: a member that is not known is refused at its name. */
function withoutUnknownNames(text: string): string {
  const isUnknown = (value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'extra_forbidden';
  try {
    return JSON.stringify(JSON.parse(text, (_name, value: unknown) => (isUnknown(value) ? null : value)));
  } catch {
    return text; // not JSON: a page of the service
  }
}
