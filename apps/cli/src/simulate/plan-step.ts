import { createHash } from 'node:crypto';
import { FailureReason, type RequestModel, type VerificationSource } from '@insurance-verification/schema';
import { InvalidArgumentError } from 'commander';

/** The actions of a simulated verifier on a request. `silent`: it dies while holding the lease. */
const STEP_KINDS = ['active', 'inactive', 'fail', 'silent', 'release'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** The weight of each kind. */
export type Mix = Readonly<Record<StepKind, number>>;

/** Parses `active=70,fail=30`: weights by kind; an unnamed kind gets weight 0. */
export function parseMix(text: string): Mix {
  const mix: Record<StepKind, number> = { active: 0, inactive: 0, fail: 0, silent: 0, release: 0 };
  for (const part of text.split(',')) {
    const [, kind = '', weight = ''] = /^(\w+)=(\d+)$/.exec(part.trim()) ?? [];
    if (!isKind(kind)) {
      throw new InvalidArgumentError(`Expected weights of ${STEP_KINDS.join(', ')}, as active=70,fail=30.`);
    }
    mix[kind] = Number(weight);
  }
  if (STEP_KINDS.every((kind) => mix[kind] === 0))
    throw new InvalidArgumentError('Expected a weight above 0.');
  return mix;
}

function isKind(text: string): text is StepKind {
  return (STEP_KINDS as readonly string[]).includes(text);
}

export interface Step {
  readonly kind: StepKind;
  /** How long a real verifier would take. */
  readonly seconds: number;
  /** The reason reported when the kind is `fail`. */
  readonly errorReason: FailureReason;
}

/**
 * Minimum and maximum seconds: an API answers at once, a portal takes minutes, a call half an hour including the hold.
 */
const SECONDS: Readonly<Record<VerificationSource, readonly [number, number]>> = {
  api: [1, 20],
  agent_web_portal: [60, 300],
  agent_phone_call: [900, 2_100],
  manual_web_portal: [180, 600],
  manual_phone_call: [1_500, 2_100],
};

/**
 * What happens to a request at this attempt. A pure function of the seed and the request's content, so that equal
 * requests under one seed get equal outcomes, whichever verifier takes them and whatever their ids.
 */
export function planStep(
  seed: string,
  mix: Mix,
  { request, channel, attempt }: { request: RequestModel; channel: VerificationSource; attempt: number },
): Step {
  const { patient_info: patient, provider_info: provider, payer_info: payer } = request.input;
  const subject = JSON.stringify([
    patient.subscriber_id,
    patient.dob,
    provider.npi,
    payer.name,
    channel,
    attempt,
  ]);
  const chance = (what: string) => fraction(`${seed}\0${what}\0${subject}`);
  const [least, most] = SECONDS[channel];
  const reasons = FailureReason.options;
  return {
    kind: pick(mix, chance('kind')),
    seconds: least + (most - least) * chance('seconds'),
    errorReason: reasons[Math.floor(chance('reason') * reasons.length)] ?? 'payer_unavailable',
  };
}

function pick(mix: Mix, chance: number): StepKind {
  const total = STEP_KINDS.reduce((sum, kind) => sum + mix[kind], 0);
  let left = chance * total;
  for (const kind of STEP_KINDS) {
    left -= mix[kind];
    if (left < 0) return kind;
  }
  return 'active';
}

/** A number in [0, 1), evenly distributed over texts. */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
