/** The tRPC code of each HTTP status of a problem. Spelled out, so that this package needs no tRPC. */
export const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  410: 'NOT_FOUND', // tRPC has no code of its own for what is gone
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_REQUEST',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** The HTTP statuses of problems. */
export type ProblemStatus = keyof typeof TRPC_CODES;

/** The tRPC error codes the registry uses. */
export type ProblemTrpcCode = (typeof TRPC_CODES)[ProblemStatus];
