import type { TrpcError } from './trpc-client.ts';

/**
 * Whether an error is a failed call of the tRPC client, with its data typed: `err.data.code`, `err.data.detail` for a
 * 422, `err.data.problem` for any other answer; no data when no answer arrived.
 */
export function isTrpcError(err: unknown): err is TrpcError {
  // By its name: the class is in a package that is loaded only with the client.
  return err instanceof Error && err.name === 'TRPCClientError';
}
