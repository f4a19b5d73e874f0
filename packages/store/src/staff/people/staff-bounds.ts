import type { VerifyWithin } from '@insurance-verification/schema';

/** What a person's roles are bounded by; undefined leaves it as it is, null takes it away. */
export interface StaffBounds {
  /** The networks they work from: people of the platform alone, those of an account have their account's. */
  readonly allowedCidrs?: readonly string[] | null | undefined;
  readonly verifyWithin?: VerifyWithin | null | undefined;
}
