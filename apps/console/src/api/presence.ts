/** When somebody last pressed a key, moved a pointer, copied or pasted in this tab, in this computer's milliseconds. */
let seenAt = Date.now();

/** After so long without a key or a pointer, calls count as the page's own. */
const AWAY_MS = 60_000;

for (const type of ['keydown', 'pointermove', 'pointerdown', 'copy', 'paste'] as const)
  addEventListener(type, () => (seenAt = Date.now()), { passive: true });

/** Milliseconds since somebody last did something in this tab. */
export const absentMs = (): number => Date.now() - seenAt;

/** Whether a call is sent by the page alone (`Background: 1`), so that it does not extend the session. */
export const isBackground = (): boolean => absentMs() > AWAY_MS;
