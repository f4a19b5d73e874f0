/** A claim by its name; dots lead into nested claims, as in `realm_access.roles`. Undefined without it. */
export function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

/** The texts of a claim that is a list of them, or a single one. */
export function textsOf(claim: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return all.filter((one) => typeof one === 'string');
}
