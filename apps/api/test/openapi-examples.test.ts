import {
  HTTPValidationError,
  Problem,
  type RequestInfo,
  SANDBOX_MEMBER_IDS,
} from '@insurance-verification/schema';
import {
  createContract,
  type Operation as Declared,
  operationsByName,
} from '@insurance-verification/schema/contract';
import { expect, test } from 'vitest';
import { openApiText } from '../src/http/openapi/openapi.ts';
import { pathParameters } from '../src/procedure/unknown-members.ts';
import { createRouter } from '../src/router.ts';
import { withWholeAnswers } from './whole-answers.ts';

// Payers other than the published document's: an example names the first configured one.
const own = createContract({ payers: ['Plan A', 'Plan B', 'Plan C', 'Plan D'] });
const document = withWholeAnswers(JSON.parse(openApiText(createRouter(own.operations), own.schemas)));
const operations = Object.values<Record<string, Operation>>(document.paths).flatMap(Object.values<Operation>);

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  readonly responses: Record<string, { readonly content: Record<string, Content> }>;
}

interface Content {
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly value?: unknown; readonly $ref?: string }>;
}

// Broke: a reader who tried an operation sent empty strings, and got a 422 for the document's own example.
test.each(Object.values(operationsByName(own.operations)))(
  '$name has a body or query that conforms, and answers that do',
  ({ path, body, example, answers, input, output }: Declared) => {
    const inPath = pathParameters(path);
    const takes = Object.keys(input?.shape ?? {}).some((name) => !inPath.includes(name));
    expect(example !== undefined).toBe(takes);
    const given =
      body ?? input?.omit(Object.fromEntries(inPath.map((name) => [name, true])) as Record<string, true>);
    // A model drops unknown members, so an example with a misspelled one differs.
    if (takes) expect(given?.parse(example)).toEqual(example);
    expect(Object.keys(answers)).not.toEqual([]);
    for (const answer of Object.values(answers)) expect(output.parse(answer)).toEqual(answer);
  },
);

/** A day or an instant that is right when it is written is refused a year later, or once it is past. */
const TIMELY = new Set(['Service-Date', 'Needed-By']);

test('every operation says what it does, and each of its parameters and answers has an example', () => {
  for (const { operationId, summary, description, parameters = [], responses } of operations) {
    expect(summary, operationId).toMatch(/^[A-Z].*[^.]$/);
    expect(description, operationId).toMatch(/^[A-Z][^]{60,}\.$/);
    for (const { name, example } of parameters)
      if (!TIMELY.has(name)) expect(example, `${operationId} ${name}`).toBeDefined();
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const { example, examples = {} } of Object.values(content)) {
        const values = [...(example === undefined ? [] : [example]), ...Object.values(examples)];
        expect(values, `${operationId} ${status}`).not.toEqual([]);
      }
  }
});

test('the examples of errors are what the service would answer', () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const { [`application/problem+json`]: problem, 'application/json': json } = content;
      if (status === '422') {
        const { detail } = HTTPValidationError.parse(json?.example);
        expect(detail, operationId).not.toEqual([]);
      }
      for (const [code, { $ref, value }] of Object.entries(problem?.examples ?? {})) {
        const example = $ref ? document.components.examples[$ref.split('/').at(-1) ?? ''].value : value;
        expect(Problem.parse(example), `${operationId} ${code}`).toEqual(example);
        expect(example).toMatchObject({ code, status: Number(status) });
      }
    }
  }
});

test('the bodies that the document shows are the contract’s', () => {
  const { paths, webhooks } = document;
  const exampleOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.example;
  const { examples } = paths['/requests/'].post.requestBody.content['application/json'];
  expect(Object.keys(examples)).toEqual(['member', ...Object.keys(SANDBOX_MEMBER_IDS)]);
  for (const { summary, value } of Object.values<{ summary: string; value: RequestInfo }>(examples)) {
    expect(own.schemas.RequestInfo.parse(value)).toEqual(value);
    expect(summary).toMatch(/: [A-Z]/);
  }
  for (const operation of [paths['/verification-output'].post, webhooks.verificationResult.post])
    expect(own.schemas.ResponseModel.parse(exampleOf(operation))).toEqual(exampleOf(operation));
});
