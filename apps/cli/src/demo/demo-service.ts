/** The service that the demo uses. Disposing of it stops it if the demo started it. */
export interface DemoService extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  /** The key's origin, for a message. */
  readonly keySource: string;
  /** Whether the demo started it. */
  readonly own: boolean;
  /** The payer that the service asks over X12, and its URL; null when the demo did not configure one. */
  readonly apiPayer: { readonly payer: string; readonly payerUrl: string } | null;
}
