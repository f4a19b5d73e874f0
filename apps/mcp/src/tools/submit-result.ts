import { list, RequestRef } from '@insurance-verification/schema';
import * as z from 'zod';
import { AgentChannel } from './agent-channel.ts';
import { answer } from './answer.ts';
import type { ToolContext } from './tool-context.ts';

export function addSubmitResult({ server, client, leases, schemas }: ToolContext): void {
  const entry = schemas.InsurancePlanData.extend({
    verification_source: AgentChannel.meta({ description: 'The channel of your lease.' }),
  });
  server.registerTool(
    'submit_result',
    {
      title: 'Hand in what you found out',
      description:
        'Ends the verification: the result is sent to the provider, signed, at once. Inactive coverage is a result. ' +
        'List every coverage the payer told. Leave out a procedure code the payer did not answer for, and say so in notes. ' +
        'Never guess: what the payer did not say is null.',
      inputSchema: z.object({
        ...RequestRef.shape,
        ...schemas.SubmitWork.shape,
        insurance_data: list(entry).min(1).meta({ description: 'Every coverage that was found.' }),
      }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (input) =>
      answer(async () => {
        const submitted = await client.work.submit(input);
        leases.drop(input.request_id);
        return submitted;
      }),
  );
}
