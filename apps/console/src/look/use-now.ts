import { useEffect, useState } from 'react';
import { serverNow } from '../api/server-time.ts';

/** The service's time in milliseconds, updated each second. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
