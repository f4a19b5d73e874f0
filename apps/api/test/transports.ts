import {
  type ProblemCode,
  type ProblemMembers,
  problemOf,
  PROBLEMS,
  type ValidationError,
} from '@insurance-verification/schema';
import { type Operation, type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import { pathParameters } from '../src/procedure/unknown-members.ts';
import type { TestService } from './a-service.ts';
import type { Answer } from './send.ts';

export const operationNames = Object.keys(OPERATIONS) as OperationName[];

/** The path parameters of an operation: nonexistent names, enough to pass authorization. */
export function inputOf(operation: OperationName): Readonly<Record<string, string>> {
  return Object.fromEntries(pathParameters(OPERATIONS[operation].path).map((name) => [name, 'x']));
}

type Input = Readonly<Record<string, unknown>>;
interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** One of the two ways to call an operation. */
export interface Transport {
  readonly name: 'REST' | 'tRPC';
  call(service: TestService, operation: OperationName, input?: Input, options?: CallOptions): Promise<Answer>;
  /** The whole body of a 200. */
  success(output: unknown): unknown;
  /** The output in the body of a 200. */
  output<T = never>(answer: Answer): T;
  /** The whole body of a problem below 500. */
  problem(code: ProblemCode, members?: ProblemMembers): unknown;
  /** The whole body of a 422. */
  invalid(...detail: ValidationError[]): unknown;
}

interface RowsCall {
  readonly input: Input;
  readonly options: CallOptions;
}

/** Rows are the body of REST, a line each; the rest of the input is the query. */
function askRows(service: TestService, path: string, { input, options }: RowsCall): Promise<Answer> {
  const { rows = [], ...query } = input;
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return service.ask('POST', search === '' ? path : `${path}?${search}`, {
    ...options,
    body: (rows as object[]).map((row) => `${JSON.stringify(row)}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson', ...options.headers },
  });
}

const rest: Transport = {
  name: 'REST',
  call: (service, operation, input = {}, options = {}) => {
    const { method, path, takesRows }: Operation = OPERATIONS[operation];
    const left = { ...input };
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(left[name]);
      delete left[name];
      return encodeURIComponent(value);
    });
    if (method === 'GET') {
      const query = new URLSearchParams(
        Object.fromEntries(Object.entries(left).map(([name, value]) => [name, String(value)])),
      ).toString();
      return service.ask(method, query === '' ? filled : `${filled}?${query}`, options);
    }
    if (takesRows) return askRows(service, filled, { input: left, options });
    return service.ask(method, filled, { ...options, ...(Object.keys(left).length > 0 && { body: left }) });
  },
  success: (output) => output,
  output: <T>(answer: Answer) => answer.json as T,
  problem: (code, members) => problemOf(code, members),
  invalid: (...detail) => ({ detail }),
};

const trpcAt = (prefix: string): Transport => ({
  name: 'tRPC',
  call: (service, operation, input = {}, options = {}) => {
    const given = Object.keys(input).length > 0;
    if (OPERATIONS[operation].method === 'POST') {
      // tRPC's own client sends the content type even without a body.
      const headers = { 'content-type': 'application/json', ...options.headers };
      return service.ask('POST', `${prefix}${operation}`, {
        ...options,
        headers,
        ...(given && { body: input }),
      });
    }
    const query = given ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
    return service.ask('GET', `${prefix}${operation}${query}`, options);
  },
  success: (output) => ({ result: { data: output } }),
  output: <T>(answer: Answer) => (answer.json as { result: { data: T } }).result.data,
  problem: (code, members) => {
    const problem = problemOf(code, members);
    return {
      error: {
        message: problem.detail,
        code: JSON_RPC_CODES[PROBLEMS[code].trpcCode],
        data: { code: PROBLEMS[code].trpcCode, httpStatus: problem.status, problem },
      },
    };
  },
  invalid: (...detail) => ({
    error: {
      message: 'The request is not valid.',
      code: -32022,
      data: { code: 'UNPROCESSABLE_CONTENT', httpStatus: 422, detail },
    },
  }),
});

/** tRPC's numbers for its codes (@trpc/server, rpc/codes). */
const JSON_RPC_CODES: Readonly<Record<string, number>> = {
  BAD_REQUEST: -32600,
  UNAUTHORIZED: -32001,
  FORBIDDEN: -32003,
  NOT_FOUND: -32004,
  METHOD_NOT_SUPPORTED: -32005,
  CONFLICT: -32009,
  PAYLOAD_TOO_LARGE: -32013,
  UNSUPPORTED_MEDIA_TYPE: -32015,
  TOO_MANY_REQUESTS: -32029,
  SERVICE_UNAVAILABLE: -32603,
};

export const transports: readonly Transport[] = [rest, trpcAt('/trpc/')];

/** The console's tRPC endpoint for signed-in people: its calls carry a cookie and a browser's same-origin headers. */
export const consoleTransport: Transport = trpcAt('/console/api/');
