import { assertPayerNames, type PayerNames } from '@insurance-verification/schema';
import * as z from 'zod';

const Document = z.object({
  components: z.object({ schemas: z.object({ Payer: z.object({ enum: z.array(z.string()) }) }) }),
});

/** The service's payer names, so that an agent's tools accept exactly those. */
export async function readPayers(url: string): Promise<PayerNames> {
  const answer = await fetch(new URL('/openapi.json', url), { signal: AbortSignal.timeout(10_000) });
  const { components } = Document.parse(await answer.json());
  const names: readonly string[] = components.schemas.Payer.enum;
  assertPayerNames(names);
  return names;
}
