import { createTokenizer } from './create-tokenizer.ts';
import type { Segment } from './segment.ts';
import type { X12Fault } from './x12-fault.ts';

/**
 * The segments and faults of a text that arrives in pieces, as they complete. Bytes are read as UTF-8. Throws
 * nothing of its own; an error of `chunks` passes through.
 */
export async function* tokenizeStream(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Segment | X12Fault> {
  const tokenizer = createTokenizer();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    yield* tokenizer.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  }
  yield* tokenizer.push(decoder.decode());
  yield* tokenizer.end();
}
