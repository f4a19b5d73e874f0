import { listKnownAnswers, measureAccuracy, seedKnownAnswer } from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { echoAskedWhen, readAskedWhen } from '../intake/asked-when.ts';
import { readCursor } from '../procedure/cursor.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { FIRST_MS, LAST_MS, refuseField } from '../reports/reports.ts';

/** Requests whose right answer is known, and how right the answers to them are. */
export const knownAnswers: Handlers<'knownAnswers'> = {
  create: async ({ ctx: { app, call, caller }, input: { request, answer } }) => {
    const payerId = app.config.payers.idOf(request.payer_info.name);
    const { serviceDate, neededBy, gender, fault } = readAskedWhen(call);
    if (fault) throw fault;
    const seed = { caller, payerId, request, serviceDate, neededBy, gender, answer, createWebhookSecret };
    const created = await seedKnownAnswer(app.store, seed);
    if (created.kind !== 'seeded') throw new ValidationFailedError([FAULTS[created.kind]]);
    app.wakeVerification();
    echoAskedWhen(call);
    call.concerns(created.seeded.request_id);
    return created.seeded;
  },

  list: ({ ctx, input: { limit, cursor } }) =>
    listKnownAnswers(ctx.app.store, { caller: ctx.caller, limit, cursor: readCursor('req', cursor) }),

  report: async ({ ctx, input }) => {
    const until = input.until === undefined ? new Date() : new Date(input.until);
    const from = input.from === undefined ? new Date(until.getTime() - SPAN_MS) : new Date(input.from);
    if (until.getTime() > LAST_MS) refuseField('until', 'Value should be a time of the years 1 to 9999');
    if (from.getTime() < FIRST_MS)
      refuseField(
        input.from === undefined ? 'until' : 'from',
        'A report begins in the year 1 at the earliest',
      );
    if (from >= until) refuseField('from', 'Value should be earlier than until');
    return {
      from: from.toISOString(),
      until: until.toISOString(),
      items: await measureAccuracy(ctx.app.store, { caller: ctx.caller, from, until }),
    };
  },
};

/** Why nothing is seeded. */
const FAULTS = {
  beyond_reach: {
    loc: ['body', 'request'],
    msg: 'A key of a test account seeds no request: verifiers of live requests would get it',
    type: 'value_error',
  },
  no_right_answer: {
    loc: ['body', 'answer'],
    msg: 'Value should have at least one field of the right answer: without one nothing is measured',
    type: 'value_error',
  },
};

/** 90 days. */
const SPAN_MS = 90 * 86_400_000;
