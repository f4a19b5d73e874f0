import { measureSeals, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from './patient-measure.ts';

/** Sets the gauge of how much the most worn data key has sealed; without the database it has no value. */
export function createDataKeyGauge(store: Store, registry: Registry): () => Promise<void> {
  const most = new Gauge({
    name: 'ivs_data_key_seals',
    help: 'Values that the most worn data key has sealed, of those that seal new ones: counted in blocks, never too low.',
    registers: [registry],
  });
  const measure = patientMeasure(() => measureSeals(store));
  return async () => {
    const count = await measure();
    if (count === null) most.remove();
    else most.set(count);
  };
}
