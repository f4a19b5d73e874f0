/** The four characters that structure an interchange. Each interchange brings its own in its ISA segment. */
export interface Delimiters {
  /** After `ISA`, position 3. */
  readonly element: string;
  /** ISA16, position 104. */
  readonly component: string;
  /** After ISA16, position 105. A line break when each line is a segment. */
  readonly segment: string;
  /** ISA11, position 82. Null in versions before 00501, where ISA11 holds a letter. */
  readonly repetition: string | null;
}

/** The writer's default. */
export const DEFAULT_DELIMITERS = {
  element: '*',
  component: ':',
  segment: '~',
  repetition: '^',
} as const satisfies Delimiters;
