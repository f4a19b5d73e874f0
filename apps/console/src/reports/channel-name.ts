import { VerificationSource } from '@insurance-verification/schema';
import { CHANNELS } from '../words/request-words.ts';

/** A channel as people say it; null: none. */
export function channelName(channel: string | null | undefined): string {
  if (channel === null || channel === undefined) return 'No channel';
  const { data: known } = VerificationSource.safeParse(channel);
  return known === undefined ? channel : CHANNELS[known];
}
