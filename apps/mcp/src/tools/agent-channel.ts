import * as z from 'zod';

/** The channels that are an agent's: a person's result must not come from one, nor one from a person. */
export const AgentChannel = z
  .enum(['agent_web_portal', 'agent_phone_call'])
  .meta({ description: 'How an agent asks a payer.' });
