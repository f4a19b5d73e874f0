import { measureHeldOutputs, type Store } from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from '../telemetry/patient-measure.ts';

/** Sets the gauges of held outputs. Reads counters, so the cost does not grow with their number. */
export type HeldGauges = () => Promise<void>;

export function createHeldGauges(store: Store, registry: Registry): HeldGauges {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['reason'], registers: [registry] });
  const outputs = gauge('ivs_held_outputs', 'Outputs that wait for an operator, by why they are held.');
  const bytes = gauge('ivs_held_output_bytes', 'Bytes of the outputs that wait for an operator.');
  const measure = patientMeasure(() => measureHeldOutputs(store));
  return async () => {
    const measures = await measure();
    // No value while the database is away: a zero would say that nothing waits.
    if (!measures) {
      outputs.reset();
      bytes.reset();
    }
    for (const { reason, rowCount, byteCount } of measures ?? []) {
      outputs.set({ reason }, rowCount);
      bytes.set({ reason }, byteCount);
    }
  };
}
