import type * as model from '@insurance-verification/store/testing/delivery-model';
import { dueAt } from '@insurance-verification/store/testing/delivery-model';
import { DEFAULT_RETRY_SCHEDULE, type AttemptPlan } from '@insurance-verification/webhook';
import type { Encounter } from './simulated-receiver.ts';
import type { World } from './world.ts';

/** The smallest share of a planned wait that its jitter allows. */
const JITTER_LEAST = 0.8;

/** Whose versions are delivered. */
export interface DeliveryOwner {
  readonly world: World;
  readonly receiver: (now: number) => Encounter;
  readonly queue: model.ModelQueue;
  become(changed: model.ModelQueue): void;
}

/** One version in delivery, and its invariants. */
export class SimulatedDelivery {
  readonly id: string;
  readonly version: number;
  /** Something happened after which the receiver may get it twice: a crash, a lost answer, a lost lease. */
  isDisturbed = false;
  takenCount = 0;
  goneCount = 0;
  readonly #request: DeliveryOwner;

  constructor(request: DeliveryOwner, version: number, id: string) {
    this.#request = request;
    this.version = version;
    this.id = id;
  }

  row(): model.ModelDelivery {
    const row = this.#request.queue.deliveries[this.version - 1];
    if (!row) throw new Error('A delivery without its row.');
    return row;
  }

  dueAt(): number | null {
    return dueAt(this.row());
  }

  /** False when the statement changed nothing. */
  change(transition: (queue: model.ModelQueue, version: number) => model.ModelChange): boolean {
    const changed = transition(this.#request.queue, this.version);
    if (changed === null) return false;
    this.#request.become(changed);
    return true;
  }

  /** Starts an attempt. */
  meet(attemptNumber: number): Encounter {
    const { world, receiver } = this.#request;
    world.trace(`${this.id} attempt ${attemptNumber}`);
    world.holds(
      attemptNumber <= DEFAULT_RETRY_SCHEDULE.length,
      `${this.id}: attempt ${attemptNumber} of ten`,
    );
    world.holds(!this.row().isDone, `${this.id}: sent although it is done`);
    world.holds(
      this.version === this.#request.queue.deliveries.length,
      `${this.id}: sent although a newer version is there`,
    );
    return receiver(world.events.now);
  }

  /** The message reaches the receiver. */
  arrive(takes: boolean): void {
    const { world } = this.#request;
    world.trace(`${this.id} arrives${takes ? ' and is taken' : ''}`);
    const isRepeated = this.takenCount > 0;
    world.holds(!isRepeated || this.isDisturbed, `${this.id}: taken twice, and nothing had happened`);
    if (takes) this.takenCount += 1;
  }

  planned(attemptNumber: number, result: Encounter['result'], plan: AttemptPlan): void {
    const { world } = this.#request;
    if (result.outcome === 'gone') this.goneCount += 1;
    world.trace(`${this.id} ${result.outcome} ${result.statusCode ?? ''} → ${JSON.stringify(plan)}`);
    const isLast = attemptNumber >= DEFAULT_RETRY_SCHEDULE.length;
    const expected =
      result.outcome === 'succeeded'
        ? 'delivered'
        : result.outcome === 'gone' || isLast
          ? 'exhausted'
          : 'retry';
    world.holds(plan.kind === expected, `${this.id}: ${result.outcome} was followed by ${plan.kind}`);
    if (plan.kind !== 'retry') return;
    const least = Math.max(
      (DEFAULT_RETRY_SCHEDULE[attemptNumber] ?? 0) * JITTER_LEAST,
      result.retryAfterSeconds ?? 0,
    );
    world.holds(
      plan.delaySeconds >= Math.min(least, 86_400 * JITTER_LEAST),
      `${this.id}: a wait of ${plan.delaySeconds} s is shorter than planned`,
    );
  }

  /** Every final status needs a matching cause. */
  checkEnd(): void {
    const { world } = this.#request;
    const { status, reason, roundAttemptCount, claimCount, isDone } = this.row();
    const ended = `${this.id}: ${status}, ${reason}`;
    world.holds(isDone && status !== 'pending', `${ended}: lost, nobody will send it`);
    if (status === 'delivered') world.holds(this.takenCount > 0, `${ended}, and the receiver never took it`);
    if (status === 'superseded')
      world.holds(
        this.version < this.#request.queue.deliveries.length,
        `${ended}, and nothing newer is there`,
      );
    if (status === 'exhausted' && reason === 'webhook_gone')
      world.holds(this.goneCount > 0, `${ended}, without a 410`);
    else if (status === 'exhausted')
      world.holds(
        roundAttemptCount === DEFAULT_RETRY_SCHEDULE.length || claimCount > 20,
        `${ended} after ${roundAttemptCount} attempts and ${claimCount} claims`,
      );
  }
}
