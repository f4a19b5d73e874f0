import type { Draft } from '@insurance-verification/schema';
import { EXAMPLE_IDS } from '../../procedure/example-ids.ts';

/** A draft as its answers show it. */
export const exampleDraft: Draft = {
  request_id: EXAMPLE_IDS.request,
  revision: 4117,
  saved_at: '2026-11-20T10:04:30.000Z',
  written_by: EXAMPLE_IDS.staff,
  written_by_name: 'Ada Jones',
  content: '{"plan":"Dental PPO","start":"1/1/26"}',
};
