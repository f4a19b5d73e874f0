import type { App } from './app.ts';
import type { Call } from './call.ts';

/** What a door gives a call. Two members, since tRPC copies the context where a procedure begins. */
export interface Context {
  readonly app: App;
  readonly call: Call;
}
