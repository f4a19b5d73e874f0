import { Mark } from '../look/mark.tsx';
import { Time } from '../look/time.tsx';
import { type Endpoint, OFF } from './endpoint-words.ts';

/** Shows whether an endpoint takes events: since when it fails, or since when and why it is off. */
export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const { disabled_at: off, disabled_reason: reason, failing_since: failing } = endpoint;
  if (off !== null && reason !== null)
    return (
      <>
        <Mark tone="bad">{`Off: ${OFF[reason]}`}</Mark> since <Time at={off} />
      </>
    );
  if (failing !== null)
    return (
      <>
        <Mark tone="warn">Failing</Mark> since <Time at={failing} />
      </>
    );
  return <Mark tone="good">Takes events</Mark>;
}
