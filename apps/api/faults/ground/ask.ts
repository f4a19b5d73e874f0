import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { type Dispatcher, request } from 'undici';

export interface Ask {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly dispatcher?: Dispatcher;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
}

/** One REST call. @throws without an answer: the outcome is then unknown */
export async function ask(
  method: 'GET' | 'POST',
  url: string,
  { body, key = API_KEY, headers = {}, dispatcher }: Ask = {},
): Promise<Answer> {
  const res = await request(url, {
    method,
    headers: { 'x-key': key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(dispatcher && { dispatcher }),
    headersTimeout: 25_000,
    bodyTimeout: 25_000,
  });
  const text = await res.body.text();
  return { status: res.statusCode, headers: res.headers, json: text === '' ? null : JSON.parse(text) };
}

/** The body of a 200. @throws for any other status */
export async function answerOf<T>(method: 'GET' | 'POST', url: string, options?: Ask): Promise<T> {
  const { status, json } = await ask(method, url, options);
  if (status !== 200) throw new Error(`${method} ${url} answered ${status}: ${JSON.stringify(json)}`);
  return json as T;
}
