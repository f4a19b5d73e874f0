import { ERROR_REASONS } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();
const patience = { timeout: 60_000 };

const textOf = ({ contents }: { contents: readonly object[] }) => (contents[0] as { text: string }).text;

test(
  'the prompt plays one verification, over a channel and for a payer that can be completed',
  patience,
  async () => {
    const { client } = await service().agent();
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      {
        name: 'verify_one',
        arguments: [
          { name: 'channel', required: false },
          { name: 'payer', required: false },
        ],
      },
    ]);
    const played = await client.getPrompt({ name: 'verify_one', arguments: { payer: 'Payer Plan 2' } });
    const script = played.messages.map(({ content }) => (content as { text: string }).text).join('');
    for (const tool of ['claim_next', 'submit_result', 'fail', 'release']) expect(script).toContain(tool);
    expect(script).toContain('{"payers":["Payer Plan 2"],"wait_seconds":20}');
    const complete = (name: string, value: string) =>
      client.complete({ ref: { type: 'ref/prompt', name: 'verify_one' }, argument: { name, value } });
    expect((await complete('channel', 'agent_p')).completion.values).toEqual(['agent_phone_call']);
    expect((await complete('payer', 'Payer')).completion.values).toHaveLength(4);
    await expect(client.getPrompt({ name: 'verify_one', arguments: { chanel: 'x' } })).rejects.toThrow(
      'Unknown: chanel',
    );
  },
);

test('the registry of error reasons can be read, with what each one means', patience, async () => {
  const { client } = await service().agent();
  const reasons = JSON.parse(textOf(await client.readResource({ uri: 'iv://error-reasons' }))) as object[];
  expect(reasons).toHaveLength(Object.keys(ERROR_REASONS).length);
  expect(reasons).toContainEqual({
    error_reason: 'portal_two_factor',
    meaning: ERROR_REASONS.portal_two_factor.sentence,
    fixed_by: 'us',
    retryable: false,
    next_channel_may_help: true,
  });
});

// An agent needs to know what a portal asks for before its lease starts.
test('each payer can be read before anything is claimed', patience, async () => {
  const { client } = await service().agent();
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'iv://error-reasons',
    ...[1, 2, 3, 4].map((number) => `iv://payers/Payer%20Plan%20${number}`),
  ]);
  expect(JSON.parse(textOf(await client.readResource({ uri: 'iv://payers/Payer%20Plan%203' })))).toEqual({
    name: 'Payer Plan 3',
    phone_number: null,
    menu_path: null,
    menu_path_changed_on: null,
    phones: [],
    opens_at: null,
    time_zone: null,
    portal_url: null,
    notes: 'Have the NPI at hand.',
    sheet: null,
  });
  await expect(client.readResource({ uri: 'iv://payers/Nobody' })).rejects.toThrow(/not found/i);
});
