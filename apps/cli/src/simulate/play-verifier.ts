import { setTimeout as pause } from 'node:timers/promises';
import { ConflictError, type RestClient } from '@insurance-verification/client';
import { type InsurancePlanData, VerificationSource, type WorkItem } from '@insurance-verification/schema';
import { type Mix, planStep, type StepKind } from './plan-step.ts';

export interface Simulation {
  readonly client: RestClient;
  readonly seed: string;
  readonly mix: Mix;
  /** The speed factor relative to real verifiers. */
  readonly speed: number;
  /** True: ends when the queue is empty; false: waits for more. */
  readonly drains: boolean;
  readonly signal: AbortSignal;
  /** `lost`: the lease was lost before the work was done. */
  readonly onStep: (item: WorkItem, came: StepKind | 'lost') => void;
}

/** Seconds that a verifier waits for work before it considers the queue empty. */
const WAIT_SECONDS = 2;

/** One simulated verifier: claims requests of any channel until the queue is empty or it is stopped. */
export async function playVerifier(simulation: Simulation): Promise<void> {
  const { signal, drains } = simulation;
  while (!signal.aborted) {
    const item = await claimOne(simulation);
    if (!item && drains) return;
    if (item) await playStep(simulation, item);
  }
}

async function claimOne({ client, signal, drains }: Simulation): Promise<WorkItem | undefined> {
  const wait_seconds = drains ? WAIT_SECONDS : 25;
  try {
    const { items } = await client.work.claim(
      { channels: [...VerificationSource.options], wait_seconds },
      { signal },
    );
    return items[0];
  } catch (err) {
    if (signal.aborted) return undefined;
    throw err;
  }
}

async function playStep(
  { client, seed, mix, speed, signal, onStep }: Simulation,
  item: WorkItem,
): Promise<void> {
  const step = planStep(seed, mix, item);
  const lease = leaseOf(item);
  // A dead verifier renews nothing.
  if (step.kind === 'silent') return onStep(item, 'silent');
  const endRenewals = keepLease(client, item);
  try {
    // A stop shortens the work; the current request is submitted all the same.
    await pause((step.seconds * 1_000) / speed, undefined, { signal }).catch(() => undefined);
    if (step.kind === 'release') await client.work.release(lease);
    else if (step.kind === 'fail') await client.work.fail({ ...lease, error_reason: step.errorReason });
    else {
      // The entry repeats the request's patient, also one whose data identifies no person.
      const insurance_data = [entryOf(item, step.kind)];
      await client.work.submit({ ...lease, insurance_data, same_patient_confirmed: true });
    }
    onStep(item, step.kind);
  } catch (err) {
    if (!(err instanceof ConflictError)) throw err;
    onStep(item, 'lost');
  } finally {
    endRenewals();
  }
}

function entryOf({ request, channel }: WorkItem, kind: 'active' | 'inactive'): InsurancePlanData {
  const { patient_info: patient, payer_info: payer, cpt_code_coverage: codes } = request.input;
  return {
    person_uuid: 'simulated-person',
    verification_time: new Date().toISOString(),
    verification_source: channel,
    notes: 'Simulated: no payer was asked.',
    patient_info: patient,
    plan_info: {
      payer_name: payer.name,
      plan_name: 'Simulated Plan',
      eligibility_status: kind === 'active' ? 'Active' : 'Inactive',
      cpt_code_coverage: kind === 'active' ? (codes ?? null) : null,
    },
  };
}

/** Renews well before the lease expires: two renewals may fail. */
const RENEWALS_IN_A_LEASE = 3;

/** Renews a lease until the returned function is called. */
function keepLease(client: RestClient, item: WorkItem): () => void {
  const milliseconds = Math.max(Date.parse(item.lease_expires_at) - Date.now(), 1_000) / RENEWALS_IN_A_LEASE;
  const renew = () =>
    client.work.heartbeat(leaseOf(item)).catch((err: unknown) => {
      // Any other failure may pass before the lease expires. A lost lease refuses the result, which is counted there.
      if (err instanceof ConflictError) clearInterval(timer);
    });
  const timer = setInterval(() => void renew(), milliseconds);
  return () => clearInterval(timer);
}

/** The proof of the lease, required for every change under it. */
function leaseOf({ request, lease_token }: WorkItem) {
  return { request_id: request.request_id ?? '', lease_token };
}
