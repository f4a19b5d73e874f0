/** EB05 holds 50 characters: a longer name was cut. */
const EB05_LENGTH_MAX = 50;

/** A shorter name is not taken for a longer one that was cut inside a word: `PLAN 1` is not `PLAN 10`. */
const CUT_LENGTH_MIN = 12;

/**
 * Returns the positions of the coverages whose plan a row names (EB05). Case, blanks and punctuation are ignored, and so is
 * what EB05 cuts after 50 characters. Without an equal name, the coverages whose name begins with it; empty if two different
 * names do, or none does.
 *
 * @param plans The names of an answer's coverages; null where one has none.
 */
export function planFinder(plans: readonly (string | null)[]): (name: string) => readonly number[] {
  const known = plans.map((plan) => plan && { plain: plainOf(plan), words: wordsOf(plan) });
  const found = new Map<string, readonly number[]>();
  const find = (name: string): readonly number[] => {
    const plain = plainOf(name);
    const equal = positionsOf(known, (plan) => plan.plain === plain);
    if (equal.length > 0) return equal;
    const words = wordsOf(name);
    const longer = positionsOf(known, (plan) => isBeginning(words, plain.length, plan.words));
    const names = new Set(longer.map((position) => known[position] && known[position].plain));
    return names.size === 1 ? longer : [];
  };
  return (name) => {
    const positions = found.get(name) ?? find(name);
    found.set(name, positions);
    return positions;
  };
}

/** The one plan that rows name; null where none does, or two are named. Some payers name it in rows of amounts only. */
export function onlyPlanName(names: Iterable<string | null>): string | null {
  let only: string | null = null;
  let before: string | null = null;
  for (const name of names) {
    if (name === null || name === before) continue;
    if (only !== null && plainOf(only) !== plainOf(name)) return null;
    only ??= name;
    before = name;
  }
  return only;
}

function positionsOf<Plan>(known: readonly (Plan | null | '')[], is: (plan: Plan) => boolean): number[] {
  return known.flatMap((plan, position) => (plan && is(plan) ? [position] : []));
}

function isBeginning(words: readonly string[], length: number, plan: readonly string[]): boolean {
  const last = words.length - 1;
  if (last < 0 || words.length > plan.length) return false;
  return words.every((word, index) => {
    const other = plan[index] ?? '';
    if (word === other) return true;
    return index === last && length >= CUT_LENGTH_MIN && /\D$/.test(word) && other.startsWith(word);
  });
}

function wordsOf(name: string): string[] {
  return name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function plainOf(name: string): string {
  return wordsOf(name.trim().slice(0, EB05_LENGTH_MAX)).join('');
}
