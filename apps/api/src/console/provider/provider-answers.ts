import type { ProviderConfig } from '../../config/read-provider.ts';
import { discover } from './identity-provider.ts';

/** Whether the identity provider answers at this moment, whatever it has answered before. */
export async function providerAnswers(provider: ProviderConfig): Promise<boolean> {
  return discover(provider).then(
    () => true,
    () => false,
  );
}
