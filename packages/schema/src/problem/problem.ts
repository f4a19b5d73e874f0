import * as z from 'zod';
import { Scope } from '../access/scope.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { SIGN_IN_REFUSALS, type SignInRefusal } from '../staff.ts';
import { type ProblemCode, PROBLEMS } from './problem-registry.ts';

/** Where a verifier asks the payer. */
export const CallPlace = enumeration('CallPlace', 'Where a verifier asks the payer.', ['phone', 'portal']);
export type CallPlace = z.infer<typeof CallPlace>;

/** Who works on a request that was asked for by name (`request_leased`). */
export const HeldLease = model('HeldLease', 'Who works on a request, and until when.', {
  holder_name: z.string().nullable().meta({ description: "The person's name; null for a key." }),
  expires_at: dateTime().meta({ description: 'When the lease ends, unless it is renewed.' }),
  place: CallPlace.nullable().meta({
    description:
      'Where the payer is being asked: on the phone, or in its portal, as the verifier reported; null if it did not.',
  }),
});
export type HeldLease = z.infer<typeof HeldLease>;

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
      description: 'Why the caller is not the second person; on 409 another_person_required.',
    }),
    request_trace: z.string().optional().meta({
      description:
        "Names this occurrence in the service's log, as the header request-id does; present on 5xx.",
    }),
    batch_id: z.string().optional().meta({
      description: 'The batch that the call leaves incomplete; where a file of rows ended early.',
    }),
    rows_stored: wholeNumber().optional().meta({
      description: 'The rows of that batch that are stored: the first ones of the file.',
    }),
    violated_policies: list(z.string()).optional().meta({
      description: 'The policies whose quota was exceeded, as RateLimit-Policy names them; on 429.',
    }),
  },
);
export type Problem = z.infer<typeof Problem>;

/**
 * The RFC 9457 `type` of a problem: the path of its explanation page on the answering service. Relative, so that the
 * text is the same wherever the service runs, and with a full path from the root, as section 3.1.1 recommends.
 */
export function problemType(code: ProblemCode): string {
  return `/docs/problems/${code}`;
}

/** A problem's members in addition to its registry entry. */
export type ProblemMembers = Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'refusal' | 'detail'> & {
  /** In place of the registry's sentence. */
  readonly detail?: string;
  readonly refusal?: SignInRefusal;
};

/** The sentence of a `not_found` for an address that does not exist. */
export const NOTHING_HERE = 'There is nothing at this address.';

/**
 * The body of a problem. `request_trace` identifies the occurrence in the log and is given on 5xx only;
 * `required_scopes` also appear in the sentence, `refusal` has one of its own, and so has a path that leads nowhere:
 * {@link NOTHING_HERE}, where an id that nothing has is `not_found` too.
 */
export function problemOf(code: ProblemCode, members: ProblemMembers = {}): Problem {
  const { title, status, sentence: usual } = PROBLEMS[code];
  const { required_scopes: scopes, refusal } = members;
  const sentence = refusal === undefined ? usual : SIGN_IN_REFUSALS[refusal];
  const detail = scopes ? `${sentence.slice(0, -1)}: ${scopes.join(' or ')}.` : sentence;
  return { type: problemType(code), title, status, detail, code, ...members };
}
