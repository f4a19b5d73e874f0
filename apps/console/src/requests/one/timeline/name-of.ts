import type { Outputs } from '../../../api/api.ts';

/** The name of a person or key, from the access log of the request; the id where the person may not know it. */
export const nameOf = (id: string, readers: Outputs['requests']['readers']['items']): string =>
  readers.find(({ key_id: keyId }) => keyId === id)?.name ?? id;
