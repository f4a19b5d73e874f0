import { FRUITLESS_CLAIM_COUNT_MAX, LEASE_SECONDS } from '@insurance-verification/store';
import * as model from '@insurance-verification/store/testing/delivery-model';
import { DEFAULT_RETRY_SCHEDULE, planAfterAttempt } from '@insurance-verification/webhook';
import { BEAT_MS, MARGIN_MS } from '../../src/delivery/worker/start-heartbeat.ts';
import { DRAIN_MS } from '../../src/process/start-roles.ts';
import { WRITE_RETRY_MS } from '../../src/queue/in-flight.ts';
import { POLL_MS } from '../../src/queue/start-polling.ts';
import type { SimulatedDelivery } from './simulated-delivery.ts';
import type { World } from './world.ts';

/** The virtual clock counts seconds. */
const BEAT = BEAT_MS / 1_000;
const MARGIN = MARGIN_MS / 1_000;
const WRITE_RETRY = WRITE_RETRY_MS / 1_000;
const POLL = POLL_MS / 1_000;
const DRAIN = DRAIN_MS / 1_000;

interface InFlight {
  readonly delivery: SimulatedDelivery;
  readonly token: string;
  heldSince: number;
  aborted: boolean;
}

/**
 * The worker's loop by its real rules: claim, send, retry the recording until it succeeds or the lease is lost, renew.
 */
export class SimulatedWorker {
  readonly #world: World<SimulatedDelivery>;
  /** Increases with each crash: what an earlier life began is gone. */
  #life = 0;
  #isUp = true;
  #isDraining = false;
  #pausedUntil = 0;
  #isBeating = false;
  #nextPollAt = Number.POSITIVE_INFINITY;
  readonly #inFlight = new Set<InFlight>();

  constructor(world: World<SimulatedDelivery>) {
    this.#world = world;
  }

  /** Claims soon; the poll would do so anyway. */
  wake(): void {
    this.#pollAt(this.#world.events.now + this.#world.random() * POLL);
  }

  crash(): void {
    if (!this.#isUp) return;
    this.#world.trace('a worker dies');
    this.#end();
  }

  /** Suspends the worker, as under SIGSTOP: its events wait. */
  pause(seconds: number): void {
    if (!this.#isUp) return;
    this.#world.trace(`a worker stands still for ${seconds.toFixed(1)} s`);
    for (const { delivery } of this.#inFlight) delivery.isDisturbed = true;
    this.#pausedUntil = this.#world.events.now + seconds;
  }

  /** Stops claiming, finishes what is in flight, and releases the rest. */
  drain(): void {
    if (!this.#isUp || this.#isDraining) return;
    this.#world.trace('a worker drains');
    this.#isDraining = true;
    this.#after(DRAIN, () => {
      for (const { delivery, token } of this.#inFlight) {
        delivery.isDisturbed = true;
        this.#world.ask(() => delivery.change((queue, version) => model.release(queue, version, token)));
      }
      this.#end();
    });
  }

  #end(): void {
    for (const { delivery } of this.#inFlight) delivery.isDisturbed = true;
    this.#inFlight.clear();
    this.#life += 1;
    this.#isUp = false;
    this.#isDraining = false;
    this.#isBeating = false;
    this.#pausedUntil = 0;
    this.#nextPollAt = Number.POSITIVE_INFINITY;
    this.#world.events.after(1 + this.#world.random() * 60, () => {
      this.#isUp = true;
      this.wake();
    });
  }

  /** Runs only in this life, and not while the worker is suspended. */
  #after(seconds: number, run: () => void): void {
    const { events } = this.#world;
    const life = this.#life;
    events.after(seconds, () => {
      if (life !== this.#life) return;
      if (events.now < this.#pausedUntil) this.#after(this.#pausedUntil - events.now, run);
      else run();
    });
  }

  #pollAt(at: number): void {
    if (!this.#isUp || at >= this.#nextPollAt) return;
    this.#nextPollAt = at;
    this.#after(at - this.#world.events.now, () => {
      if (this.#nextPollAt !== at) return;
      this.#nextPollAt = Number.POSITIVE_INFINITY;
      this.#poll();
    });
  }

  #poll(): void {
    const { events, deliveries, random } = this.#world;
    if (this.#isDraining) return;
    const isDue = (delivery: SimulatedDelivery) =>
      (delivery.dueAt() ?? Number.POSITIVE_INFINITY) <= events.now;
    const limit = 1 + Math.floor(random() * 4);
    const due = deliveries.filter(isDue).slice(0, limit);
    const tokens = due.map(() => this.#world.newToken());
    const claimed = this.#world.ask(() => {
      for (const [index, delivery] of due.entries())
        delivery.change((queue, version) => model.claim(queue, version, events.now, tokens[index] ?? ''));
    });
    if (claimed === 'done')
      for (const [index, delivery] of due.entries()) this.#begin(delivery, tokens[index] ?? '');
    else for (const delivery of due) delivery.isDisturbed = true;
    const soonest = Math.min(...deliveries.map((delivery) => delivery.dueAt() ?? Number.POSITIVE_INFINITY));
    if (soonest < Number.POSITIVE_INFINITY) this.#pollAt(Math.max(events.now + POLL, soonest));
  }

  #begin(delivery: SimulatedDelivery, token: string): void {
    const { events, random } = this.#world;
    const row = delivery.row();
    if (row.claimCount > FRUITLESS_CLAIM_COUNT_MAX) {
      this.#world.ask(() => delivery.change((queue, version) => model.giveUp(queue, version, token)));
      return;
    }
    const flight: InFlight = { delivery, token, heldSince: events.now, aborted: false };
    this.#inFlight.add(flight);
    this.#beat();
    const attemptNumber = row.roundAttemptCount + 1;
    const { arrivesAfter, takes, answersAfter, result } = delivery.meet(attemptNumber);
    if (arrivesAfter !== null) this.#after(arrivesAfter, () => flight.aborted || delivery.arrive(takes));
    this.#after(answersAfter, () => {
      if (takes && result.outcome !== 'succeeded') delivery.isDisturbed = true;
      const next = planAfterAttempt({ schedule: DEFAULT_RETRY_SCHEDULE, attemptNumber, result, random });
      delivery.planned(attemptNumber, result, next);
      this.#write(flight, { outcome: result.outcome, next });
    });
  }

  #write(flight: InFlight, attempt: Parameters<typeof model.finish>[3]): void {
    const { delivery, token } = flight;
    if (flight.aborted) return void this.#inFlight.delete(flight);
    const { now } = this.#world.events;
    const written = this.#world.ask(() =>
      delivery.change((queue, version) => model.finish(queue, version, token, attempt, now)),
    );
    if (written !== 'done') return this.#after(WRITE_RETRY, () => this.#write(flight, attempt));
    this.#inFlight.delete(flight);
    this.wake();
  }

  #beat(): void {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#after(BEAT, () => {
      this.#isBeating = false;
      if (this.#inFlight.size === 0) return;
      const { now } = this.#world.events;
      const lost: InFlight[] = [];
      const asked = [...this.#inFlight];
      const renewed = this.#world.ask(() => {
        for (const flight of asked) {
          const isHeld = flight.delivery.change((queue, version) =>
            model.renew(queue, version, flight.token, now),
          );
          if (!isHeld) lost.push(flight);
        }
      });
      if (renewed === 'done') {
        for (const flight of asked) flight.heldSince = now;
        for (const flight of lost) this.#abort(flight);
      } else {
        for (const flight of asked)
          if (flight.heldSince < now - LEASE_SECONDS + MARGIN + BEAT) this.#abort(flight);
      }
      this.#beat();
    });
  }

  /** Ends the send; its outcome is not recorded. */
  #abort(flight: InFlight): void {
    flight.aborted = true;
    flight.delivery.isDisturbed = true;
    this.#inFlight.delete(flight);
  }
}
