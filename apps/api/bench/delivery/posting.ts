/** One measurement of posts to the receivers. Values from /proc are NaN on machines without it. */
export interface Posting {
  readonly perSecond: number;
  /** Microseconds of CPU per post. */
  readonly mainUs: number;
  readonly allUs: number;
  readonly postgresUs: number;
  readonly idleShare: number;
}
