import {
  ConflictError,
  GoneError,
  InsuranceVerificationError,
  NotFoundError,
  ValidationFailedError,
} from '@insurance-verification/client';
import { PROBLEMS } from '@insurance-verification/schema';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { describeLoss } from '../leases/lease.ts';
import { NotHeldError, TooManyLeasesError } from '../leases/not-held-error.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * Runs a tool and answers with its document, or with an error that the agent can correct; adds notices of lost leases.
 */
export async function answer(
  { book, presence }: ToolContext,
  work: () => Promise<object>,
): Promise<CallToolResult> {
  presence.call();
  const losses = await book.takeLosses(presence);
  const extra = losses.length > 0 ? { notices: losses.map((lease) => describeLoss(lease)) } : {};
  try {
    const document = { ...(await work()), ...extra };
    return { content: [{ type: 'text', text: JSON.stringify(document) }], structuredContent: document };
  } catch (err) {
    const document = { ...describe(err), ...extra };
    return { content: [{ type: 'text', text: JSON.stringify(document) }], isError: true };
  }
}

/** The message and what an agent can act on. Neither contains patient data or the key. */
function describe(err: unknown): object {
  if (err instanceof NotHeldError) return { error: err.message, problem: err.problemCode };
  if (err instanceof TooManyLeasesError) return { error: err.message };
  if (!(err instanceof InsuranceVerificationError)) throw err;
  const problem = 'problemCode' in err && typeof err.problemCode === 'string' ? err.problemCode : undefined;
  return {
    error: messageOf(err),
    ...(problem !== undefined && { problem }),
    ...(err instanceof ValidationFailedError && { detail: err.detail }),
  };
}

/** What the service says of a problem is a sentence for a reader; the error's own message is for a programmer's log. */
function messageOf(err: InsuranceVerificationError): string {
  const isReadable = err instanceof GoneError || err instanceof NotFoundError || err instanceof ConflictError;
  return isReadable ? `${err.operation}: ${PROBLEMS[err.problemCode].sentence}` : err.message;
}
