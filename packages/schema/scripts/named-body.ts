/** A body for other teams' tests. */
export interface NamedBody {
  readonly name: string;
  readonly body: unknown;
}
