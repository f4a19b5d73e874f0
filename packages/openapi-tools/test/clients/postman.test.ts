import { type OperationFact, OPERATIONS } from '@insurance-verification/schema/contract';
import type { ServiceProcess } from '@insurance-verification/testing/start-service-process';
import converter, { type PostmanItem, type PostmanRequest } from 'openapi-to-postmanv2';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { readDocument } from '../read-document.ts';

const service = useService();

/** Every request of the converted collection, with the document's examples. */
function convert(): Promise<PostmanRequest[]> {
  const input = { type: 'json', data: readDocument() } as const;
  return new Promise((resolve, reject) => {
    converter.convertV2(input, { parametersResolution: 'Example' }, (err, conversion) => {
      const [output] = conversion?.output ?? [];
      if (output) resolve(requestsIn(output.data));
      else reject(err ?? new Error(conversion?.reason));
    });
  });
}

function requestsIn({ request, item = [] }: PostmanItem): PostmanRequest[] {
  return [...(request ? [request] : []), ...item.flatMap(requestsIn)];
}

/** Sends a request as Postman does, after filling in its variables. */
function send(
  { method, url, header = [], auth, body }: PostmanRequest,
  { url: baseUrl, apiKey }: ServiceProcess,
) {
  const filled = (text: string) => text.replace('{{baseUrl}}', baseUrl).replace('{{apiKey}}', apiKey);
  const inPath = new Map(url.variable.map(({ key, value }) => [`:${key}`, value]));
  const path = url.path.map((part) => inPath.get(part) ?? part).join('/');
  const query = new URLSearchParams(
    url.query.map(({ key, value }): [string, string] => [key, value]),
  ).toString();
  // A header of a time has no example, which would be past one day: people fill it in, or take its tick away.
  const kept = header.filter(({ value }) => value !== 'string');
  const headers = new Headers(kept.map(({ key, value }) => [key, value]));
  const ofKey = new Map(auth?.apikey?.map(({ key, value }) => [key, value]));
  if (auth?.apikey) headers.set(ofKey.get('key') ?? '', filled(ofKey.get('value') ?? ''));
  return fetch(`${filled(url.host.join('.'))}/${path}${query && `?${query}`}`, {
    method,
    headers,
    ...(body?.raw && { body: body.raw }),
  });
}

/** What a signed-in person does for themselves; a key gets 403. */
function summariesForPeople(): string[] {
  const facts: Readonly<Record<string, OperationFact>> = OPERATIONS;
  return Object.values(readDocument().paths)
    .flatMap((path) => Object.values(path))
    .filter(({ operationId }) => facts[operationId]?.forPeople)
    .map(({ summary }) => summary);
}

test('openapi-to-postmanv2 makes a collection whose every request is understood', async () => {
  const requests = await convert();
  expect(requests).toHaveLength(Object.values(readDocument().paths).flatMap(Object.keys).length);
  const statuses: Record<string, number> = {};
  for (const request of requests) statuses[request.name] = (await send(request, service())).status;
  // The examples name things that do not exist here; only the account of a new key is part of the body, hence a 422.
  const { 'Create an API key': ofAnotherAccount, ...others } = statuses;
  expect(ofAnotherAccount).toBe(422);
  const isForPeople = ([summary]: [string, number]) => summariesForPeople().includes(summary);
  const asked = Object.entries(others);
  expect(new Set(asked.filter(isForPeople).map(([, status]) => status))).toEqual(new Set([403]));
  expect(new Set(asked.filter((one) => !isForPeople(one)).map(([, status]) => status))).toEqual(
    new Set([200, 202, 404]),
  );
  expect(statuses).toMatchObject({
    'Create a verification request': 200,
    'Create a batch of requests': 202,
    'List requests, newest first': 200,
    'Submit a verification output': 200,
    'Read a request': 404,
  });
});
