import type { BudgetGrant, BudgetRequest } from '@insurance-verification/store';
import { LRUCache } from 'lru-cache';
import type { Log } from '../telemetry/log.ts';
import { Budget, type Policy, type Verdict } from './budget.ts';

/** Every budget, as one process sees it. */
export interface Budgets {
  /** Takes one unit of a subject's budget; decides at once while the slice has one. */
  take(policy: Policy, subject: string): Verdict | Promise<Verdict>;
  /**
   * Takes several units of a subject's budget if others are left in reserve.
   * @returns 0 where they were taken; otherwise milliseconds until there may be as many.
   */
  takeLeaving(
    policy: Policy,
    subject: string,
    asked: { readonly units: number; readonly reserve: number },
  ): Promise<number>;
  /** Charges units that a call used beyond its first; later slices pay for them. */
  charge(policy: Policy, subject: string, units: number): void;
}

export interface BudgetsOptions {
  /** Takes a slice of the budget that all processes share. */
  readonly share: (request: BudgetRequest) => Promise<BudgetGrant>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Milliseconds a slice may be under way. */
  readonly patienceMs?: number;
}

/** Subjects remembered with a key, and as many without: a flood of new addresses displaces only other anonymous senders. */
const SUBJECT_COUNT_MAX = 10_000;

/** Concurrent slices per process. More would hold the connections that the calls themselves need. */
const ASKING_COUNT_MAX = 4;

/**
 * Slices a second for subjects that are addresses: an anonymous sender has any number of them, and each creates a row. Beyond
 * the limit each process counts for itself.
 */
const ADDRESS_SLICES_MAX = 20;

/** Milliseconds from a failed slice until the next is asked for. */
const ALONE_MS = 1000;

/**
 * Budgets made of slices. A process decides in memory while a slice lasts and asks for the next before it is used up,
 * so hardly any call waits. Where no slice is to be had (the database is away, slow or asked too often) it decides
 * by itself by the same rule: the limiter itself must never fail or delay a call.
 */
export function createBudgets({
  share,
  log,
  now = () => performance.now(),
  patienceMs = 250,
}: BudgetsOptions): Budgets {
  const known = new LRUCache<string, Budget>({ max: SUBJECT_COUNT_MAX });
  const anonymous = new LRUCache<string, Budget>({ max: SUBJECT_COUNT_MAX });
  let askingCount = 0;
  let aloneUntilMs = 0;
  let isAlone = false;
  let addressSlices = { sinceMs: 0, count: 0 };

  const budgetOf = (policy: Policy, subject: string): Budget => {
    const budgets = policy.by === 'address' ? anonymous : known;
    const name = `${policy.name} ${subject}`;
    const found = budgets.get(name);
    if (found) {
      found.follow(policy);
      return found;
    }
    const budget = new Budget(policy);
    budgets.set(name, budget);
    return budget;
  };

  const mayAsk = ({ by }: Policy): boolean => {
    const nowMs = now();
    if (nowMs < aloneUntilMs || askingCount >= ASKING_COUNT_MAX) return false;
    if (by !== 'address') return true;
    if (nowMs >= addressSlices.sinceMs + 1000) addressSlices = { sinceMs: nowMs, count: 0 };
    addressSlices.count += 1;
    return addressSlices.count <= ADDRESS_SLICES_MAX;
  };

  /** The grant; null when it fails or comes too late. */
  const askOthers = async (request: BudgetRequest): Promise<BudgetGrant | null> => {
    askingCount += 1;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patienceMs);
    });
    const asking = share(request).finally(() => (askingCount -= 1));
    try {
      const grant = await Promise.race([asking, tooLate]);
      if (grant === null) goAlone(new Error('No slice came in time.'));
      else if (isAlone) {
        isAlone = false;
        log.info('limits are shared with the other processes again');
      }
      return grant;
    } catch (err) {
      goAlone(err);
      return null;
    } finally {
      clearTimeout(timer);
      asking.catch(() => undefined); // too late to matter
    }
  };

  const goAlone = (err: unknown) => {
    aloneUntilMs = now() + ALONE_MS;
    if (!isAlone) log.warn({ err }, 'limits cannot be shared; this process decides alone');
    isAlone = true;
  };

  const refill = async (budget: Budget, policy: Policy, subject: string): Promise<void> => {
    const ask = budget.nextAsk(now());
    const isAddress = policy.by === 'address';
    const shared = mayAsk(policy)
      ? await askOthers({ ...budget.reportingAll(ask, now()), policy: policy.name, subject, isAddress })
      : null;
    if (shared) budget.receiveShared(shared, ask, now());
    else budget.receiveAlone(ask, now());
  };

  /**
   * Takes one slice per subject at a time. Cleared in a later turn: a refill without the database ends before the assignment.
   */
  const refillOnce = (budget: Budget, policy: Policy, subject: string): Promise<void> =>
    (budget.coming ??= refill(budget, policy, subject).finally(() => (budget.coming = null)));

  const waitForSlice = async (budget: Budget, policy: Policy, subject: string): Promise<Verdict> => {
    budget.waitingCount += 1;
    try {
      for (;;) {
        await refillOnce(budget, policy, subject);
        const verdict = budget.decide(now());
        if (verdict) return verdict;
      }
    } finally {
      budget.waitingCount -= 1;
    }
  };

  const take = (policy: Policy, subject: string): Verdict | Promise<Verdict> => {
    const budget = budgetOf(policy, subject);
    const nowMs = now();
    const verdict = budget.decide(nowMs);
    if (!verdict) return waitForSlice(budget, policy, subject);
    if (!budget.coming && budget.isLow(nowMs)) void refillOnce(budget, policy, subject);
    return verdict;
  };

  return {
    take,
    takeLeaving: async (policy, subject, { units, reserve }) => {
      const { allowed, remaining, seconds } = await take(policy, subject);
      if (!allowed) return 1000 * seconds;
      const budget = budgetOf(policy, subject);
      const missing = reserve + units - 1 - remaining;
      budget.charge(missing > 0 ? -1 : units - 1); // the one that was taken goes back
      return missing > 0 ? Math.ceil((missing * 1000 * policy.windowSeconds) / policy.quota) : 0;
    },
    charge: (policy, subject, units) => budgetOf(policy, subject).charge(units),
  };
}
