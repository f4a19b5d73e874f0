import type { ServerResponse } from 'node:http';
import type { SessionStanding } from '@insurance-verification/store';

/** The consoles that listen at one process. */
export interface EventStreams {
  /** Takes over a response. It ends with the session, at a drain, or when its reader goes. */
  readonly add: (res: ServerResponse, sessionId: string, standing: SessionStanding) => void;
}
