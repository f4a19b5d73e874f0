import { measureErasure, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from '../telemetry/patient-measure.ts';

/** Sets the gauge of how far erasure is behind; without the database it has no value, like the database's others. */
export function createErasureGauge(store: Store, registry: Registry): () => Promise<void> {
  const behind = new Gauge({
    name: 'ivs_erasure_behind_seconds',
    help: 'How long ago the oldest request whose retention is over, and whose data is still there, was due; 0 for none.',
    registers: [registry],
  });
  const measure = patientMeasure(() => measureErasure(store));
  return async () => {
    const seconds = await measure();
    if (seconds === null) behind.remove();
    else behind.set(seconds);
  };
}
