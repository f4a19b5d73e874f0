/** The roles of the processes, in the order in which they are replaced: in between one version delivers for the other. */
export const SLOTS = ['http', 'http', 'delivery', 'delivery'] as const;

/** Which version runs where between two replacements, and what was seen meanwhile, in all rounds. */
export interface Stage {
  /** For each of {@link SLOTS}. */
  readonly isNew: readonly boolean[];
  /** Requests. */
  createdCount: number;
  /** Webhooks that arrived. */
  arrivedCount: number;
  longestGapMs: number;
  /** The most calls that the one receiver had open. */
  openCountMax: number;
}

/** Forward process by process, and back in the same order. */
export function stagesOfRoll(): readonly Stage[] {
  const forward = SLOTS.map((_, done) => SLOTS.map((_slot, slot) => slot < done));
  const back = forward.map((isNew) => isNew.map((one) => !one));
  const last = SLOTS.map(() => false);
  return [...forward, ...back, last].map((isNew) => ({
    isNew,
    createdCount: 0,
    arrivedCount: 0,
    longestGapMs: 0,
    openCountMax: 0,
  }));
}

export const stageHead = (from: string): readonly string[] => [
  `take calls (old: ${from})`,
  'deliver',
  'requests',
  'webhooks',
  'longest without an acknowledgement',
  'most calls at once to the one host',
];

export function stageLine(stage: Stage): readonly string[] {
  const versionsOf = (role: (typeof SLOTS)[number]) =>
    stage.isNew
      .filter((_, slot) => SLOTS[slot] === role)
      .map((isNew) => (isNew ? 'new' : 'old'))
      .join(', ');
  return [
    versionsOf('http'),
    versionsOf('delivery'),
    stage.createdCount.toLocaleString('en'),
    stage.arrivedCount.toLocaleString('en'),
    `${(stage.longestGapMs / 1000).toFixed(1)} s`,
    String(stage.openCountMax),
  ];
}
