import { useEffect } from 'react';
import { changeJob, jobOf } from './desk.ts';

// A person who takes a request in a second tab has it there: the first one hears it from the browser, before a call of its
// own is refused.

const NAME = 'lease-taken';

/** This tab, since a tab hears its own channels as well. */
const TAB = crypto.randomUUID();

interface Taken {
  readonly requestId: string;
  readonly tab: string;
}

/** Reports to the other tabs of this browser that this one has taken a request. */
export function announceTaken(requestId: string): void {
  const channel = new BroadcastChannel(NAME);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin, and takes none
  channel.postMessage({ requestId, tab: TAB } satisfies Taken);
  channel.close();
}

/** Marks the request on screen once another tab of this browser has taken it. */
export function useOtherTabs(requestId: string): void {
  useEffect(() => {
    const channel = new BroadcastChannel(NAME);
    channel.addEventListener('message', ({ data }: MessageEvent<Taken>) => {
      if (data.requestId === requestId && data.tab !== TAB && jobOf(requestId)?.lease === 'held')
        changeJob(requestId, { isInOtherTab: true });
    });
    return () => channel.close();
  }, [requestId]);
}
