import type { Registry } from 'prom-client';

/** A worker's place among those of its supervisor. It outlives the process that has it. */
export interface Seat {
  /** From 1; names the worker in logs and metrics. */
  readonly number: number;
  /** The ports that all workers share; undefined: none is served. */
  readonly port: number | undefined;
  readonly metricsPort: number | undefined;
  /** What `/livez` answers in its header `instance`, in every worker. */
  readonly instance: string;
  /** Where the embedded database is, which the supervisor runs; undefined: at `DATABASE_URL`. */
  readonly embeddedUrl: string | undefined;
  /** False while the others have not begun to serve: `/readyz` then answers 503. */
  readonly isReady: boolean;
}

/** What a supervisor tells a worker. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly seat: Seat }
  /** All workers serve. */
  | { readonly kind: 'ready' }
  /** The console is built, or why it is not. */
  | { readonly kind: 'console'; readonly failure: string | null }
  /** Another process has taken the seat: end what is under way, and take nothing new. */
  | { readonly kind: 'retire' }
  /** Everything that was said before the worker's `farewell` has been read. */
  | { readonly kind: 'farewell' }
  /** Asks for the metrics of this worker. */
  | { readonly kind: 'measure'; readonly id: number }
  /** The metrics of all, in Prometheus's text format. */
  | { readonly kind: 'scraped'; readonly id: number; readonly text: string };

/** What a worker tells its supervisor. */
export type FromWorker =
  | ({ readonly kind: 'serving' } & Serving)
  /** It could not start. */
  | { readonly kind: 'failed'; readonly words: string }
  /** It takes no connection any more; those under way to it come before the answer. */
  | { readonly kind: 'farewell' }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: Measured }
  /** Asks for the metrics of all. */
  | { readonly kind: 'scrape'; readonly id: number };

/** A worker that can be called. */
export interface Serving {
  readonly url: string | undefined;
  readonly metricsUrl: string | undefined;
  /** The `Store.notifier` of its process. */
  readonly notifier: string;
}

/** One registry's metrics with their values. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
