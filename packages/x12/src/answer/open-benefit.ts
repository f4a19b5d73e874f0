import { added, type Growing, replaceLast } from '../parts/growing.ts';
import type { Segment } from '../tokenizing/segment.ts';
import type { Benefit, Member } from './eligibility-answer.ts';
import { readBenefit } from './read-benefit.ts';

/**
 * The open loop 2110. A row that repeats its predecessor stays the same object until something follows below it:
 * payers repeat rows, and a hostile text holds thousands.
 */
export class OpenBenefit {
  #current: Growing<Benefit> | null = null;
  /** Its EB, while nothing followed below it. */
  #bareRow: Segment | null = null;
  /** Its owner, while it stands for several of their rows. */
  #sharer: Growing<Member> | null = null;

  /** For reading; null when none is open. */
  get current(): Benefit | null {
    return this.#current;
  }

  open(member: Growing<Member>, row: Segment): void {
    const repeated = this.#bareRow !== null && hasSameElements(this.#bareRow, row) ? this.#current : null;
    this.#current = repeated ?? readBenefit(row);
    this.#bareRow = row;
    this.#sharer = repeated && member;
    member.benefits = added(member.benefits, this.#current);
  }

  close(): void {
    this.#current = this.#bareRow = this.#sharer = null;
  }

  /** For writing: a separate object from here on. Null when none is open. */
  own(): Growing<Benefit> | null {
    if (this.#current && this.#sharer) {
      this.#current = { ...this.#current };
      replaceLast(this.#sharer.benefits, this.#current);
    }
    this.#bareRow = this.#sharer = null;
    return this.#current;
  }
}

function hasSameElements({ elements: some }: Segment, { elements: others }: Segment): boolean {
  if (some.length !== others.length) return false;
  for (let index = 1; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}
