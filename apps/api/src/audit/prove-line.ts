import { AuditLineRef, AuditProof } from '@insurance-verification/schema';
import { proveAuditLine } from '@insurance-verification/store';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';
import { exampleSeal } from './example-seal.ts';

/** The proof that one line was sealed as it is. */
export const proveLine = () =>
  query({
    meta: {
      operation: 'audit.prove',
      openapi: {
        summary: 'Prove one line of the audit',
        description:
          'The way from one line to the root that its seal states, as of c2sp.org/tlog-proof: whoever has the public key can check it without the service, and learns of no other line.',
        tags: ['Access'],
      },
      limit: 'reads',
      problems: ['not_found'],
      answers: {
        proven: {
          audit_id: '312391',
          state: 'proven',
          seal: exampleSeal.seal,
          proof: `c2sp.org/tlog-proof@v1\nextra AAAABwAAABQ=\nindex 312390\nB95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=\n\n${exampleSeal.note}`,
        },
      },
    },
    input: AuditLineRef,
    output: AuditProof,
    handler: async ({ ctx, input: { audit_id: auditId } }) => {
      const proven = await proveAuditLine(ctx.app.store, { caller: ctx.caller, auditId });
      return proven.kind === 'found' ? proven.proof : refuse(proven);
    },
  });
