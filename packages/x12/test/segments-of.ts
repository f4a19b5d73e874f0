import type { EligibilityAnswer, Loop, Segment } from '../src/index.ts';

/** The segments of all loops of a 271, in the order of the text. */
export function segmentsOf(answer: EligibilityAnswer): Segment[] {
  const loops: Loop[] = [answer];
  for (const payer of answer.payers) {
    loops.push(payer);
    for (const provider of payer.providers) {
      loops.push(provider);
      for (const subscriber of provider.subscribers)
        for (const member of [subscriber, ...subscriber.dependents]) loops.push(member, ...member.benefits);
    }
  }
  return loops.flatMap(({ segments }) => segments).toSorted((one, other) => one.position - other.position);
}
