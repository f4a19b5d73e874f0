import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of TypeScript of a package's README, as a module that runs: with the values that its text takes for granted. */
export interface Snippet {
  /** `schema-1`. */
  readonly name: string;
  readonly text: string;
}

const FIXTURES = `
import requests from '@insurance-verification/schema/fixtures/request-info-valid.json' with { type: 'json' };
import results from '@insurance-verification/schema/fixtures/response-model-valid.json' with { type: 'json' };
import type { RequestInfo } from '@insurance-verification/schema';
const firstRequest = requests[0]!.body as RequestInfo;
`;
const SIGNED = `
import { createWebhookSecret, signWebhook } from '@insurance-verification/webhook';
const secret = createWebhookSecret();
process.env['IV_WEBHOOK_SECRET'] = secret;
const signedBody = new TextEncoder().encode(JSON.stringify(results[0]!.body).replaceAll('Payer Plan 1', 'Plan A'));
const [messageId, sentAt] = ['msg_1', new Date()];
const signedHeaders = new Headers({
  'webhook-id': messageId,
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': signWebhook({ id: messageId, timestamp: sentAt, body: signedBody, secrets: [secret] }),
  'verification-version': '1',
});
const aRequest = () =>
  new Request('https://clinic.example/verified', { method: 'POST', headers: signedHeaders, body: signedBody });
`;
const SERVICE = `
const [url, apiKey] = [process.env['IV_URL'] ?? '', process.env['IV_API_KEY'] ?? ''];
`;

/** What each block takes for granted, and what is done with it; in the order of the READMEs. */
const ROUND: Readonly<Record<string, readonly (readonly [before: string, after?: string])[]>> = {
  schema: [[`${FIXTURES}const body: unknown = firstRequest;`], ['']],
  client: [
    [''],
    [
      `${FIXTURES}${SERVICE}
import { createRestClient } from '@insurance-verification/client';
const client = createRestClient({ url, apiKey });
async function* rowsOfDatabase() {
  for (const count of [1, 2, 3]) yield { ...firstRequest, reference: \`visit-\${count}\` };
}`,
    ],
    [
      `${FIXTURES}${SIGNED}const storeOnce = async (..._: unknown[]) => undefined;`,
      'const { status } = await POST(aRequest());\nif (status !== 204) throw new Error(String(status));',
    ],
    [`${FIXTURES}${SERVICE}const input = firstRequest;`],
    [
      `${FIXTURES}${SIGNED}${SERVICE}
import { createRestClient, createTrpcClient, parseWebhook } from '@insurance-verification/client';
const [headers, body] = [signedHeaders, signedBody];`,
    ],
  ],
  webhook: [
    [`${FIXTURES}${SIGNED}const request = aRequest();\nconst seen = async (_: string) => false;`],
    [
      `import { createWebhookSecret } from '@insurance-verification/webhook';
const [id, body, secrets] = ['msg_1', new TextEncoder().encode('{}'), [createWebhookSecret()]];`,
    ],
  ],
  x12: [
    [
      `${FIXTURES}const [request, requestId] = [firstRequest, 'req_00000000000000000000000001'];
const [text271, personUuid] = ['', '00000000-0000-4000-8000-000000000001'];`,
    ],
  ],
};

/** The blocks of every README, for a service at an address. @throws when a README has more or fewer than are known here. */
export function snippets(serviceUrl: string): Snippet[] {
  return Object.entries(ROUND).flatMap(([name, round]) => {
    const readme = readFileSync(join(import.meta.dirname, '../..', name, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text = '']) => text);
    if (blocks.length !== round.length)
      throw new Error(
        `The README of ${name} has ${blocks.length} blocks of TypeScript, and ${round.length} are known here.`,
      );
    return blocks.map((block, index) => {
      const [before = '', after = ''] = round[index] ?? [];
      const text = block
        .replaceAll(/https:\/\/verify\.(?:example|internal)/g, serviceUrl)
        .replace("secret: 'whsec_…'", 'secret')
        .replace("'visit-4711'", `'visit-${name}-${index}'`); // each its own call
      return { name: `${name}-${index + 1}`, text: asModule(before, text, after) };
    });
  });
}

/** Imports first; then the block, in a function where it returns or awaits as a part of one does. */
function asModule(before: string, block: string, after: string): string {
  const imports = /^import [^]*?;$/gm;
  const [ours, theirs] = [before, block].map((text) => ({
    imports: text.match(imports) ?? [],
    rest: text.replaceAll(imports, ''),
  }));
  const rest = theirs?.rest ?? '';
  const isTopLevel = /^export /m.test(rest);
  return [
    ...(ours?.imports ?? []),
    ...(theirs?.imports ?? []),
    ours?.rest ?? '',
    isTopLevel ? rest : `async function snippet() {\n${rest}\n}\nawait snippet();`,
    after,
    'export {};',
  ].join('\n');
}
