import type { Scope, StaffRole } from '@insurance-verification/schema';

/** Whose job each scope is. */
const ROLES: Readonly<Record<Scope, readonly StaffRole[]>> = {
  requests: ['requester', 'viewer'],
  secrets: ['admin'],
  verify: ['verifier'],
  operate: ['operator'],
  admin: ['admin'],
  audit: ['auditor'],
  privacy: ['privacy'],
};

/** The roles any one of which has one of these scopes. */
export const rolesWith = (scopes: readonly Scope[]): StaffRole[] => [
  ...new Set(scopes.flatMap((scope) => ROLES[scope])),
];
