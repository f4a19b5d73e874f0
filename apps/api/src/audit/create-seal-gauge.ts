import { measureUnsealed, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from '../telemetry/patient-measure.ts';

/** Sets the gauge of what is not sealed yet; without the database it has no value, like the database's other gauges. */
export function createSealGauge(store: Store, registry: Registry): () => Promise<void> {
  const unsealed = new Gauge({
    name: 'ivs_audit_unsealed_seconds',
    help: 'Age of the oldest line of the audit that is not sealed yet; 0 when all are.',
    registers: [registry],
  });
  const measure = patientMeasure(() => measureUnsealed(store));
  return async () => {
    const measured = await measure();
    if (measured === null) unsealed.remove();
    else unsealed.set(measured.oldestSeconds);
  };
}
