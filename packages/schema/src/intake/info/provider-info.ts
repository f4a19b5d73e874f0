import * as z from 'zod';
import { model } from '../../model.ts';

/** The provider on whose behalf the payer is asked. All plain strings: the spec declares no formats. */
export const ProviderInfo = model('ProviderInfo', 'The provider on whose behalf the payer is asked.', {
  npi: z
    .string()
    .meta({ description: 'National Provider Identifier; normally 10 digits, not checked here.' }),
  name: z.string().meta({ description: 'Name of the provider.' }),
  tin: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Taxpayer identification number; null when unknown.' }),
  organization_name: z.string().nullable().optional().meta({
    description: 'Name of the organisation the provider belongs to; null without one.',
  }),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;
