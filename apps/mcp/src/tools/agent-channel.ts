import * as z from 'zod';

/** The agents' channels: a person's result must not come from an agent, nor an agent's from a person. */
export const AgentChannel = z
  .enum(['agent_web_portal', 'agent_phone_call'])
  .meta({ description: 'How an agent asks a payer.' });
