import type { App } from './app.ts';
import type { Call } from './call.ts';

/** What a handler is given. Two members, since tRPC copies the context at every middleware. */
export interface Context {
  readonly app: App;
  readonly call: Call;
}
