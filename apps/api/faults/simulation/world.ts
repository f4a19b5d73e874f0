import { seededRandom } from '@insurance-verification/store/testing/seeded-random';
import { EventQueue } from './event-queue.ts';

/** A statement's fate: it ran; it did not; it ran, and its answer was lost. */
type Asked = 'done' | 'refused' | 'unknown';

/** One seed's clock, randomness, database and violations. */
export class World<Delivery = unknown> {
  readonly events = new EventQueue();
  readonly random: () => number;
  readonly deliveries: Delivery[] = [];
  readonly broken: string[] = [];
  /** A third of the seeds have no faults at all: any duplicate there is a bug. */
  readonly isCalm: boolean;
  readonly trace: (line: string) => void;
  readonly #refuseShare: number;
  #awayUntil = 0;
  #tokenCount = 0;

  constructor(seed: number, say?: (line: string) => void) {
    this.random = seededRandom(seed);
    this.isCalm = this.random() < 0.3;
    this.#refuseShare = this.isCalm ? 0 : this.random() * 0.3;
    this.trace = (line) => say?.(`${this.events.now.toFixed(2).padStart(12)}  ${line}`);
  }

  holds(isTrue: boolean, sentence: string): void {
    if (isTrue) return;
    this.trace(`BROKEN ${sentence}`);
    this.broken.push(sentence);
  }

  newToken(): string {
    return `lease ${(this.#tokenCount += 1)}`;
  }

  /** Runs a statement on a database that may be down, or go down before its answer. */
  ask(statement: () => void): Asked {
    const { now } = this.events;
    if (now < this.#awayUntil) return 'refused';
    const fate = this.random();
    if (fate >= this.#refuseShare) {
      statement();
      return 'done';
    }
    if (this.random() < 0.3) this.#awayUntil = now + this.random() * 30;
    if (fate < this.#refuseShare / 2) {
      this.trace('a statement fails');
      return 'refused';
    }
    statement();
    this.trace('a statement’s answer is lost');
    return 'unknown';
  }
}
