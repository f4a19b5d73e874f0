/** When somebody last pressed a key or moved a pointer in this tab, in this computer's milliseconds. */
let seenAt = Date.now();

/** Between two calls of a page that only looks again by itself, for longer than this nobody has touched it. */
const AWAY_MS = 60_000;

for (const type of ['keydown', 'pointermove', 'pointerdown'] as const)
  addEventListener(type, () => (seenAt = Date.now()), { passive: true });

/** Milliseconds for which nobody seems to be there. */
export const absentMs = (): number => Date.now() - seenAt;

/** Whether a call is the page's own doing: it must not keep a session alive that nobody uses. */
export const isBackground = (): boolean => absentMs() > AWAY_MS;
