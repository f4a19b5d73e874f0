import { countExpiringKeys, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { measureOrNull } from '../telemetry/measure-or-null.ts';

/** Long enough to make another key, hand it to whoever uses it, and see the old one out of use. */
const DAYS = 30;

/** Sets the gauge of the keys that end soon; without the database it has no value, as the others of the database. */
export function createKeyGauge(store: Store, registry: Registry): () => Promise<void> {
  const expiring = new Gauge({
    name: 'ivs_keys_expiring',
    help: `API keys in force that stop working within ${DAYS} days; of accounts that are not suspended.`,
    registers: [registry],
  });
  return async () => {
    const count = await measureOrNull(() => countExpiringKeys(store, DAYS));
    if (count === null) expiring.remove();
    else expiring.set(count);
  };
}
