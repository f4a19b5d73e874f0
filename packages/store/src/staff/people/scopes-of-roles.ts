import type { Scope, StaffRole } from '@insurance-verification/schema';

interface RoleFact {
  readonly scopes: readonly Scope[];
  /** The role changes nothing. */
  readonly readsOnly?: true;
  /** The role acts on one account, so a person of that account may have it. */
  readonly ofAccount?: true;
}

/** Each role's scopes. An admin sees and rotates secrets, which are not patient data. */
const ROLES: Readonly<Record<StaffRole, RoleFact>> = {
  viewer: { scopes: ['requests'], readsOnly: true, ofAccount: true },
  requester: { scopes: ['requests'], ofAccount: true },
  verifier: { scopes: ['verify'] },
  operator: { scopes: ['operate'] },
  admin: { scopes: ['admin', 'secrets'] },
  auditor: { scopes: ['audit'] },
  privacy: { scopes: ['privacy'] },
};

/** The scopes of a person with these roles: for all operations, and additionally for those that change nothing. */
export function scopesOfRoles(roles: readonly StaffRole[]): { scopes: Scope[]; readScopes: Scope[] } {
  const facts = roles.map((role) => ROLES[role]);
  const scopes = new Set(facts.filter(({ readsOnly }) => !readsOnly).flatMap((fact) => fact.scopes));
  const readScopes = new Set(facts.flatMap((fact) => fact.scopes).filter((scope) => !scopes.has(scope)));
  return { scopes: [...scopes], readScopes: [...readScopes] };
}

/** Whether a person of an account may have the role: the others act across accounts. */
export function isRoleOfAccount(role: StaffRole): boolean {
  return ROLES[role].ofAccount === true;
}
