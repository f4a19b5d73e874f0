import type { OperationName } from './index.ts';

/** What the audit records besides operations: sign-ins, and what the service does itself or at its own machine. */
export const RECORDED_ACTIONS = [
  'audit.drop',
  'audit.resume',
  'keys.replaceFirst',
  'sessions.signIn',
  'sessions.signOut',
  'work.expire',
] as const;

/** The `operation` of a line of the audit. */
export type RecordedOperation = OperationName | (typeof RECORDED_ACTIONS)[number];
