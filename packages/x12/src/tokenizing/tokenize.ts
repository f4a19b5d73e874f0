import { createTokenizer } from './create-tokenizer.ts';
import type { Segment } from './segment.ts';
import type { X12Fault } from './x12-fault.ts';

/** The segments and faults of a whole text, in order. Never throws. */
export function tokenize(text: string): (Segment | X12Fault)[] {
  const tokenizer = createTokenizer();
  const tokens = tokenizer.push(text);
  for (const token of tokenizer.end()) tokens.push(token);
  return tokens;
}
