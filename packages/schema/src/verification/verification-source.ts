import type * as z from 'zod';
import { enumeration } from '../model.ts';

/** How a verification was obtained: by a person or an agent, by portal or phone, or by an API. */
export const VerificationSource = enumeration('VerificationSource', 'How a verification was obtained.', [
  'manual_web_portal',
  'manual_phone_call',
  'agent_web_portal',
  'agent_phone_call',
  'api',
]);
export type VerificationSource = z.infer<typeof VerificationSource>;
