/** The time of this process, which is moved. */
export interface MovedProcess {
  /** Milliseconds; a negative number sets `Date` back, and leaves the monotonic `performance.now()`. */
  readonly by: (milliseconds: number) => void;
  readonly restore: () => void;
}

/** Replaces `Date` and `performance.now()` of this process by those that a test moves. Timers are not moved. */
export function moveProcess(): MovedProcess {
  const RealDate = globalThis.Date;
  const realNow = performance.now.bind(performance);
  let shiftMs = 0;
  let monotonicShiftMs = 0;
  const now = () => RealDate.now() + shiftMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
  performance.now = () => realNow() + monotonicShiftMs;
  return {
    by: (milliseconds) => {
      shiftMs += milliseconds;
      monotonicShiftMs += Math.max(milliseconds, 0);
    },
    restore: () => {
      globalThis.Date = RealDate;
      performance.now = realNow;
    },
  };
}
