import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' }) => void;

let collect: Collect | undefined;

/**
 * Collects V8's young generation now, in 1 to 3 ms. V8 itself waits until 16 MB of small objects are made, and under a
 * flood of large bodies the megabytes behind few of them pile up until then: the process took 327 MB, with this 270.
 */
export function collectYoung(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/** Node tells programs of it by a flag alone, which every way to start the service would have to know. */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
