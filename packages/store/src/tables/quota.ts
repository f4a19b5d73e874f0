/** How much a subject may use: `quota` units at once, and as many again in each window. */
export interface Quota {
  readonly quota: number;
  readonly windowSeconds: number;
}
