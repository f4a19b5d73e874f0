import type { Operations } from '@insurance-verification/schema/contract';
import { accounts, webhookSecret } from './access/accounts.ts';
import { keys } from './access/keys.ts';
import { audit, listReaders } from './audit/audit.ts';
import { deliveries, receivers, requestDeliveries } from './delivery/deliveries.ts';
import { endpoints, events } from './delivery/endpoints.ts';
import { demo } from './demo/demo.ts';
import { batches } from './intake/batches.ts';
import { createRequest } from './intake/create-request.ts';
import { payers } from './intake/payers.ts';
import { requests } from './intake/requests.ts';
import { knownAnswers } from './known-answers/known-answers.ts';
import { heldOutputs } from './output/held-outputs.ts';
import { results } from './output/results.ts';
import { submitOutput } from './output/submit-output.ts';
import { implement } from './procedure/trpc.ts';
import { reports } from './reports/reports.ts';
import { erasures, eraseRequest, holds } from './retention/retention.ts';
import { passkeys } from './staff/passkeys.ts';
import { sessions } from './staff/sessions.ts';
import { settings, staff } from './staff/staff.ts';
import { drafts } from './verification/drafts/drafts.ts';
import { evidence } from './verification/evidence.ts';
import { work } from './verification/work/work.ts';

/**
 * The operations of the contract with their handlers, by resource. tRPC and REST are both made from it; it does not
 * compile while an operation has no handler.
 */
export const createRouter = (operations: Operations) =>
  implement(operations, {
    requests: {
      create: createRequest,
      ...requests,
      ...results,
      ...requestDeliveries,
      ...evidence,
      erase: eraseRequest,
      readers: listReaders,
    },
    batches,
    payers,
    demo,
    work,
    drafts,
    deliveries,
    receivers,
    events,
    endpoints,
    verificationOutput: { submit: submitOutput },
    heldOutputs,
    knownAnswers,
    keys,
    accounts,
    erasures,
    holds,
    staff,
    sessions,
    passkeys,
    settings,
    audit,
    reports,
    webhookSecret,
  });

export type ApiRouter = ReturnType<typeof createRouter>;
