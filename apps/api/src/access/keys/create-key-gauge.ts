import { countExpiringKeys, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from '../../telemetry/patient-measure.ts';

/** Enough days to create another key, hand it over, and see the old one fall out of use. */
const DAYS = 30;

/**
 * Sets the gauge of the keys that expire soon; without the database it has no value, like the database's other gauges.
 */
export function createKeyGauge(store: Store, registry: Registry): () => Promise<void> {
  const expiring = new Gauge({
    name: 'ivs_keys_expiring',
    help: `API keys in force that stop working within ${DAYS} days; of accounts that are not suspended.`,
    registers: [registry],
  });
  const measure = patientMeasure(() => countExpiringKeys(store, DAYS));
  return async () => {
    const count = await measure();
    if (count === null) expiring.remove();
    else expiring.set(count);
  };
}
