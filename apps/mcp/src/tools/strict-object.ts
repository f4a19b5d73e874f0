import * as z from 'zod';

/** Names quoted in one refusal, and characters of each: a message may hold ten thousand of any length. */
const [NAME_COUNT_MAX, NAME_LENGTH_MAX] = [10, 60];

/** Arguments that reject unknown names: a misspelt one would be dropped, and the result be wrong. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ') || 'none';
  return z.strictObject(shape, {
    error: ({ code, keys }) => {
      if (code !== 'unrecognized_keys') return undefined;
      return `Unknown: ${named(keys)}. Known here: ${known}.${hint(keys)}`;
    },
  });
}

/** Fields that verifiers send over the service's other interfaces; here the tools fill them in. */
const FILLED_IN = new Set(['lease_token', 'person_uuid', 'verification_time', 'verification_source', 'uuid']);

function hint(keys: readonly string[]): string {
  return keys.some((key) => FILLED_IN.has(key)) ? ' What your lease knows is filled in from it.' : '';
}

function named(keys: readonly string[]): string {
  const names = keys.slice(0, NAME_COUNT_MAX).map((key) => key.slice(0, NAME_LENGTH_MAX));
  const more = keys.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
