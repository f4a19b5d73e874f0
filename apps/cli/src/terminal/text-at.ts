/** The value at a path of keys in JSON of unknown shape; undefined when absent. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, key) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key)
        ? (inside as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** The text at a path; null when absent. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : null;
}

/** The texts of the list at a path; empty when absent. */
export function listAt(value: unknown, ...path: string[]): string[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : [];
}
