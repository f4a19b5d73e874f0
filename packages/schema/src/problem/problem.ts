import * as z from 'zod';
import { Scope } from '../access/scope.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { HeldLease } from './held-lease.ts';

/** Every error that is not a 422: `application/problem+json` (RFC 9457). */
export const Problem = model(
  'Problem',
  'An error that is not a 422, as application/problem+json (RFC 9457).',
  {
    type: z.string().meta({
      format: 'uri-reference',
      description:
        'The address of the page that explains the problem, relative to the service that answered.',
    }),
    title: z
      .string()
      .meta({ description: 'The kind of problem in a few words; the same for every occurrence.' }),
    status: wholeNumber().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What happened and what to do, in a sentence. No patient data.' }),
    code: z.string().meta({
      description: 'What went wrong, as a program asks: a code of the registry, which is never renamed.',
    }),
    required_scopes: list(Scope).optional().meta({
      description: 'Present where the caller lacks a scope: any one of these would do.',
    }),
    refusal: z.string().optional().meta({
      description: 'Present where a sign-in was refused: why, as a program asks.',
    }),
    lease: HeldLease.optional().meta({
      description: 'Present where somebody works on the request: who, and until when.',
    }),
    hold_id: z.string().optional().meta({
      description: 'The legal hold in the way; on 409 legal_hold.',
    }),
    because: z.enum(['asked_it', 'link_of_confirmer', 'link_of_asker', 'made_by_asker']).optional().meta({
      description:
        'Why the caller is not the second person; on 409 another_person_required. asked_it: they asked, or a key of theirs. link_of_confirmer: their link signed in who asked. link_of_asker: who asked made the link, passkey or identity that signed them in. made_by_asker: who asked added them, or the people who did.',
    }),
    request_trace: z.string().optional().meta({
      description:
        "Names this occurrence in the service's log, as the header request-id does; present on 5xx.",
    }),
    violated_policies: list(z.string()).optional().meta({
      description: 'The policies whose quota was exceeded, as RateLimit-Policy names them; on 429.',
    }),
  },
);
export type Problem = z.infer<typeof Problem>;
