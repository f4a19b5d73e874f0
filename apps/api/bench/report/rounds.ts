import { medianOf } from './median-of.ts';

/** The median of each figure over the rounds. */
export function middleOf<Round extends Readonly<Record<keyof Round, number>>>(
  rounds: readonly [Round, ...Round[]],
): Round {
  const fields = Object.keys(rounds[0]) as (keyof Round)[];
  return Object.fromEntries(
    fields.map((field) => [field, medianOf(rounds.map((round) => round[field]))]),
  ) as unknown as Round;
}

/** The median of the rounds' own ratios: both halves of a round had the same hour of the machine. */
export function ratioOf(
  service: readonly { readonly perSecond: number }[],
  other: readonly { readonly perSecond: number }[],
): number {
  return medianOf(service.map((round, index) => round.perSecond / (other[index]?.perSecond ?? Number.NaN)));
}
