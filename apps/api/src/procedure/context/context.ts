import type { App } from './app.ts';
import type { Call } from './call/call.ts';

/** What a transport passes to a call. Only two members, since tRPC copies the context at the start of a procedure. */
export interface Context {
  readonly app: App;
  readonly call: Call;
}

/** What the server puts on each Koa context before a route runs. */
export interface CallState {
  context: Context;
  /** The operation, for the log and the metrics. */
  operation: string;
}
