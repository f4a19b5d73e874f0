import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequestModel } from './examples/request.ts';
import { operation } from './operation.ts';

/** A demo day that was played (`demo.playDay`). */
export const DemoDay = model('DemoDay', 'A demo day that was played.', {
  account_id: z.string().meta({
    description: 'One of its test accounts: who acts for it sees the whole day, and nothing that is live.',
  }),
  request_count: wholeNumber().meta({ description: 'How many requests it has.' }),
});
export type DemoDay = z.infer<typeof DemoDay>;

/** What deleting the demo day did (`demo.clearDay`). */
export const ClearedDemoDay = model('ClearedDemoDay', 'What deleting the demo day did.', {
  request_count: wholeNumber().meta({
    description: 'How many requests were deleted; 0 when there was no demo day.',
  }),
});
export type ClearedDemoDay = z.infer<typeof ClearedDemoDay>;

/** The operations of `demo`. */
export const demoOperations = (schemas: Schemas) => ({
  // A second play makes a second request.
  play: operation('demo.play', {
    post: '/demo/play',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Work',
    summary: 'Play a demo request',
    description:
      'Creates a request in the oldest test account, for a member that the sandbox answers, with a callback address of this service, which checks the webhook’s signature. Nothing reaches a payer or a live account. Returns 404 unless the service runs on a developer’s machine and has a test account.',
    limit: 'intake',
    problems: ['not_found'],
    changes: ['request', 'work'],
    output: schemas.RequestModel,
    answers: { pending: exampleRequestModel(schemas) },
  }),

  // A second one replaces the first.
  playDay: operation('demo.playDay', {
    post: '/demo/day',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Work',
    summary: 'Play a demo day',
    description:
      'Creates three clinics with forty requests in every state: answered with benefits, not verified, waiting, overdue, on the phone, held, given up. They are test accounts: nothing reaches a payer or a live account. A second call replaces the first day. Returns 404 unless the service runs on a developer’s machine.',
    problems: ['not_found'],
    changes: ['access', 'request', 'work', 'held', 'delivery'],
    output: DemoDay,
    answers: { played: { account_id: EXAMPLE_IDS.account, request_count: 40 } },
  }),

  clearDay: operation('demo.clearDay', {
    post: '/demo/day/clear',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: true,
    tag: 'Work',
    summary: 'Delete the demo day',
    description:
      'Deletes the demo day’s test accounts with all their data. The audit keeps its entries. Returns 404 unless the service runs on a developer’s machine.',
    problems: ['not_found'],
    changes: ['access', 'request', 'work', 'held', 'delivery'],
    output: ClearedDemoDay,
    answers: { cleared: { request_count: 40 } },
  }),
});
