import { InsuranceVerificationError, ValidationFailedError } from '@insurance-verification/client';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** What a tool tells the agent: a document, or what went wrong and can be put right. */
export async function answer(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    const document = await work();
    return {
      content: [{ type: 'text', text: JSON.stringify(document) }],
      structuredContent: { ...document },
    };
  } catch (err) {
    if (!(err instanceof InsuranceVerificationError)) throw err;
    return { content: [{ type: 'text', text: describe(err) }], isError: true };
  }
}

/** The message and what an agent can act on. Neither holds a patient's data nor the key. */
function describe(err: InsuranceVerificationError): string {
  const problem = 'problemCode' in err && typeof err.problemCode === 'string' ? err.problemCode : undefined;
  return JSON.stringify({
    error: err.message,
    ...(problem !== undefined && { problem }),
    ...(err instanceof ValidationFailedError && { detail: err.detail }),
  });
}
