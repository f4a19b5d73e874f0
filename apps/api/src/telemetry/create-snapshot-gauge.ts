import { measureSnapshots, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from './patient-measure.ts';

/** Sets the gauge of the oldest snapshot; without the database it has no value, like the database's others. */
export function createSnapshotGauge(store: Store, registry: Registry): () => Promise<void> {
  const oldest = new Gauge({
    name: 'ivs_database_oldest_snapshot_seconds',
    help: 'For how long the oldest transaction of the database, of those that the service may see, has held its snapshot.',
    registers: [registry],
  });
  const measure = patientMeasure(() => measureSnapshots(store));
  return async () => {
    const seconds = await measure();
    if (seconds === null) oldest.remove();
    else oldest.set(seconds);
  };
}
