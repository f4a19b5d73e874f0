import { errorReasonOf, stateOf } from '@insurance-verification/schema';
import * as model from '@insurance-verification/store/testing/delivery-model';
import { SimulatedDelivery } from './simulated-delivery.ts';
import { type Encounter, simulatedReceiver } from './simulated-receiver.ts';
import type { World } from './world.ts';

/** A request whose results are delivered: its client's actions, and the state it must show. */
export class SimulatedRequest {
  readonly world: World<SimulatedDelivery>;
  readonly receiver: (now: number) => Encounter;
  readonly deliveries: SimulatedDelivery[] = [];
  queue = model.noDeliveries;
  readonly #name: string;

  constructor(world: World<SimulatedDelivery>, name: string) {
    this.world = world;
    this.#name = name;
    this.receiver = simulatedReceiver(world.random);
  }

  /** Accepts a verifier's result or an operator's correction. Once acknowledged, it must not be lost. */
  accept(): void {
    const { world } = this;
    const done = world.ask(() => this.become(model.accept(this.queue, 'complete', world.events.now, 0)));
    if (done === 'refused') return;
    const version = this.queue.deliveries.length;
    this.deliveries.push(new SimulatedDelivery(this, version, `msg_${this.#name}_${version}`));
    world.trace(`${this.#name} version ${version}`);
    world.deliveries.push(...this.deliveries.slice(-1));
  }

  redeliver(): void {
    const { world } = this;
    const shown = this.state();
    const before = this.queue;
    world.ask(() => this.become(model.redeliver(this.queue, world.events.now)));
    if (this.queue === before) return;
    world.trace(`${this.#name} is delivered again`);
    // A new round is no duplicate; until it ends, the request keeps showing the last round's end.
    const latest = this.deliveries.at(-1);
    if (latest) latest.isDisturbed = true;
    world.holds(this.state() === shown, `${this.#name}: a redelivery changed the state to ${this.state()}`);
  }

  become(queue: model.ModelQueue): void {
    this.queue = queue;
    for (const { roundAttemptCount } of queue.deliveries)
      this.world.holds(roundAttemptCount <= 10, `${this.#name}: ${roundAttemptCount} attempts in a round`);
  }

  state(): string {
    return stateOf(this.queue.outcome, this.queue.delivery);
  }

  checkEnd(): void {
    const { outcome, delivery, deliveryReason, deliveries } = this.queue;
    const latest = deliveries.at(-1);
    if (!latest) return;
    for (const each of this.deliveries) each.checkEnd();
    const expected = latest.status === 'exhausted' ? 'error_sending_webhook' : 'complete';
    this.world.holds(this.state() === expected, `${this.#name}: ${latest.status}, shown as ${this.state()}`);
    const reason = errorReasonOf({ outcome, delivery, deliveryReason, outcomeReason: null });
    this.world.holds(reason === latest.reason, `${this.#name}: shown with ${reason}, not ${latest.reason}`);
  }
}
