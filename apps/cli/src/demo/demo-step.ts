/** One displayed step of the demo. */
export interface DemoStep {
  readonly title: string;
  readonly facts: readonly string[];
  /** The commands that a person would type for it. */
  readonly type: readonly string[];
}
