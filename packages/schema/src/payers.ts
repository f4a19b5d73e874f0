/** Exactly four payer plan names, in the order their schema lists them. */
export type PayerNames = readonly [string, string, string, string];

/** The placeholders of a first run. A production start refuses them. */
export const DEFAULT_PAYERS = ['Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3', 'Payer Plan 4'] as const;

/**
 * Asserts what the types cannot: exactly four distinct, non-empty names. White space around a name is refused: names
 * are compared exactly, and no reader sees the difference between "A" and "A ".
 *
 * @throws TypeError naming what was expected and what was given.
 */
export function assertPayerNames(payers: unknown): asserts payers is PayerNames {
  const fault = faultIn(payers);
  if (fault !== null) {
    throw new TypeError(
      `payers must be exactly four distinct, non-empty names: ${fault}. A right example: ${JSON.stringify(DEFAULT_PAYERS)}`,
    );
  }
}

function faultIn(payers: unknown): string | null {
  if (!Array.isArray(payers)) return `got ${payers === null ? 'null' : typeof payers}, not a list`;
  if (payers.length !== 4) return `got ${payers.length}`;
  for (const [index, name] of payers.entries()) {
    if (typeof name !== 'string') return `number ${index + 1} is not a string`;
    if (name.trim() === '') return `number ${index + 1} is empty`;
    if (name.trim() !== name) return `number ${index + 1} has white space around it`;
    if (payers.indexOf(name) !== index) return `number ${index + 1} repeats ${JSON.stringify(name)}`;
  }
  return null;
}
