import type { BudgetGrant, BudgetRequest, Quota } from '@insurance-verification/store';

/** What one subject may use, and what its subjects are. */
export interface Policy extends Quota {
  readonly name: string;
  readonly by: 'account' | 'key' | 'address';
}

/** An ask of a budget, without its policy and subject. */
export type Ask = Omit<BudgetRequest, 'policy' | 'subject' | 'isAddress'>;

/** The decision on one unit. */
export interface Verdict {
  readonly allowed: boolean;
  /** Units left. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until more units are available; after a refusal, until one is. */
  readonly seconds: number;
}

/** Milliseconds a slice is used. Its rest then goes back: another process may need it. */
const SLICE_MS = 1000;

/**
 * A slice holds at most the units that come back in these milliseconds, so the database is asked ten times a second.
 */
const SLICE_WORTH_MS = 100;

/** Milliseconds until a refused subject asks again, at the soonest and at the latest. */
const REFUSED_MS_MIN = 100;
const REFUSED_MS_MAX = 1000;

/**
 * One subject's part of a budget in this process: the slice it decides from. Instants are milliseconds of one clock.
 */
export class Budget {
  /** When the whole quota is available again, as far as this process knows. */
  tatMs = 0;
  /** The slice under way. */
  coming: Promise<void> | null = null;
  /** Calls waiting for it. */
  waitingCount = 0;
  #policy: Policy;
  #unitMs: number;
  /** Units left in the slice; negative: units charged without a slice. */
  #left = 0;
  /**
   * Units of the next slice. Doubles while slices are used up, so that a quiet subject withholds none from the others.
   */
  #size = 1;
  #endsAtMs = 0;
  #shutUntilMs = 0;
  /** Units that this process granted by itself and has not yet reported to the shared budget. */
  #unreported = 0;

  constructor(policy: Policy) {
    this.#policy = policy;
    this.#unitMs = unitMsOf(policy);
  }

  /** A changed quota applies at once: what was taken of the old one is dropped. */
  follow(policy: Policy): void {
    const isSame = policy.quota === this.#policy.quota && policy.windowSeconds === this.#policy.windowSeconds;
    this.#policy = policy;
    if (isSame) return;
    this.#unitMs = unitMsOf(policy);
    this.#left = 0;
    this.#size = 1;
    this.#shutUntilMs = 0;
  }

  /**
   * Decides one unit if the slice has one or the subject is known to have none; null when a slice must be asked for.
   */
  decide(nowMs: number): Verdict | null {
    if (nowMs < this.#endsAtMs && this.#left >= 1) {
      this.#left -= 1;
      return this.#verdict(true, nowMs);
    }
    return nowMs < this.#shutUntilMs ? this.#verdict(false, nowMs) : null;
  }

  /** Charges units used beyond the one decided. */
  charge(units: number): void {
    this.#left -= units;
  }

  /** Whether the slice is nearly used up: the next one is asked for while some of this one is left. */
  isLow(nowMs: number): boolean {
    return this.#left * 4 < this.#size && nowMs < this.#endsAtMs && nowMs >= this.#shutUntilMs;
  }

  /** What to ask for now. An expired slice gives its rest back. */
  nextAsk(nowMs: number): Ask {
    const { quota, windowSeconds } = this.#policy;
    const isOver = nowMs >= this.#endsAtMs;
    const sizeMax = Math.max(1, Math.floor(SLICE_WORTH_MS / this.#unitMs));
    this.#size = isOver && this.#left >= 1 ? Math.max(1, this.#size >> 1) : Math.min(this.#size * 2, sizeMax);
    const owed = isOver || this.#left < 0 ? -this.#left : 0;
    this.#left += owed;
    return { quota, windowSeconds, need: 1, want: Math.max(this.#size, this.waitingCount), owed };
  }

  /** The same for the shared budget: also reports the units granted by this process, minus what has come back since. */
  reportingAll(ask: Ask, nowMs: number): Ask {
    const backlog = Math.max(0, this.tatMs - nowMs) / this.#unitMs;
    return { ...ask, owed: ask.owed + Math.min(this.#unreported, backlog) };
  }

  /** Takes a grant of the shared budget. */
  receiveShared(grant: BudgetGrant, ask: Ask, nowMs: number): void {
    this.#unreported = 0;
    this.#receive(grant, ask, nowMs);
  }

  /** Decides without the shared budget, by the same rule. */
  receiveAlone(ask: Ask, nowMs: number): void {
    const grant = takeUnits(this.tatMs, nowMs, ask);
    this.#unreported += grant.granted + ask.owed;
    this.#receive(grant, ask, nowMs);
  }

  #receive({ granted, backlogMs }: BudgetGrant, { want, windowSeconds }: Ask, nowMs: number): void {
    this.tatMs = nowMs + backlogMs;
    this.#left += granted;
    this.#endsAtMs = nowMs + SLICE_MS;
    const untilOneMs = backlogMs + this.#unitMs - windowSeconds * 1000;
    const shutMs = granted > 0 ? 0 : Math.min(untilOneMs, REFUSED_MS_MAX);
    this.#shutUntilMs = granted < want ? nowMs + Math.max(shutMs, REFUSED_MS_MIN) : 0;
  }

  #verdict(allowed: boolean, nowMs: number): Verdict {
    const { quota, windowSeconds } = this.#policy;
    const backlogMs = Math.max(0, this.tatMs - nowMs);
    const freeMs = windowSeconds * 1000 - backlogMs;
    if (!allowed) return { allowed, remaining: 0, seconds: wholeSeconds(this.#unitMs - freeMs) };
    const shared = Math.floor(freeMs / this.#unitMs + 0.001) + this.#left;
    const remaining = Math.min(Math.max(0, shared), quota);
    return { allowed, remaining, seconds: wholeSeconds(backlogMs % this.#unitMs || this.#unitMs) };
  }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** Milliseconds until one unit comes back. */
function unitMsOf({ quota, windowSeconds }: Pick<Ask, 'quota' | 'windowSeconds'>): number {
  return (windowSeconds * 1000) / quota;
}

/**
 * GCRA in memory, for a process without the database; the shared budget's statement computes the same.
 * @param tatMs the theoretical arrival time: when the whole quota is available again.
 */
export function takeUnits(tatMs: number, nowMs: number, ask: Ask): BudgetGrant {
  const unitMs = unitMsOf(ask);
  const windowMs = ask.windowSeconds * 1000;
  const baseMs = Math.max(Math.min(tatMs, nowMs + 2 * windowMs) + ask.owed * unitMs, nowMs);
  // The thousandth keeps a rounding error from losing the last unit.
  const room = Math.floor((nowMs + windowMs - baseMs) / unitMs + 0.001);
  const granted = room >= ask.need ? Math.min(room, ask.want) : 0;
  return { granted, backlogMs: baseMs + granted * unitMs - nowMs };
}
