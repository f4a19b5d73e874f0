import { CommandFailedError } from '../failure/failure.ts';

/** A payer that the service knows, read from its OpenAPI document, which lists the configured payers. */
export async function firstPayerOf(url: string): Promise<string> {
  const res = await fetch(`${url}/openapi.json`, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  const document = (await res.json()) as {
    components?: { schemas?: { Payer?: { enum?: readonly string[] } } };
  };
  const payer = document.components?.schemas?.Payer?.enum?.[0];
  if (payer === undefined)
    throw new CommandFailedError(`${url}/openapi.json names no payers (${res.status}).`);
  return payer;
}
