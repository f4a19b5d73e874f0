import {
  ERROR_REASONS,
  type ErrorReason,
  type FixedBy,
  type ProblemCode,
  PROBLEMS,
  problemType,
} from '@insurance-verification/schema';
import Router from '@koa/router';
import type { CallState } from '../procedure/context/app.ts';
import { EXPLANATIONS } from './explanations.ts';
import { escapeText, htmlPage, PAGE_POLICY } from './pages/html-page.ts';

const REFERENCE = '<a href="/docs">Guides</a> · <a href="/docs/reference">API reference</a>';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const REASONS = Object.keys(ERROR_REASONS) as ErrorReason[];

/**
 * The pages that the problems' `type`s link to, those of the reasons of a failed verification, and one that lists each: at every port, since each answers problems.
 * `hasReference`: whether this port has the API reference, and the icon, too.
 */
export function createProblemPagesRouter({ hasReference }: { hasReference: boolean }): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const pages = [
    ['/docs/problems', listPage(hasReference)] as const,
    ...CODES.map((code) => [problemType(code), problemPage(code, hasReference)] as const),
    ['/docs/reasons', reasonList(hasReference)] as const,
    ...REASONS.map((reason) => [`/docs/reasons/${reason}`, reasonPage(reason, hasReference)] as const),
  ];
  for (const [path, page] of pages) {
    router.get([path, `${path}/`], (koa) => {
      koa.state.operation = 'docs';
      koa.set('content-security-policy', PAGE_POLICY);
      koa.type = 'text/html; charset=utf-8';
      koa.body = page;
    });
  }
  return router;
}

function problemPage(code: ProblemCode, hasReference: boolean): string {
  const { status, retryable, title, sentence, trpcCode } = PROBLEMS[code];
  const body = [
    `<h1>${escapeText(title)}</h1>`,
    `<p><strong>${escapeText(sentence)}</strong></p>`,
    ...EXPLANATIONS[code].map((paragraph) => `<p>${escapeText(paragraph)}</p>`),
    '<dl>',
    `<dt>code</dt><dd><code>${code}</code></dd>`,
    `<dt>HTTP status</dt><dd>${status}</dd>`,
    `<dt>tRPC code</dt><dd><code>${trpcCode}</code></dd>`,
    `<dt>May the same call succeed later?</dt><dd>${retryable ? 'Yes' : 'No, not without a change'}</dd>`,
    '</dl>',
    `<p><a href="/docs/problems">All problems</a>${hasReference ? ` · ${REFERENCE}` : ''}</p>`,
  ];
  return htmlPage({ title: `${title} (${status})`, body: body.join('\n'), hasIcon: hasReference });
}

function listPage(hasReference: boolean): string {
  const body = [
    '<h1>Problems</h1>',
    '<p>Every error but a 422 is <code>application/problem+json</code> (RFC 9457). Branch on its <code>code</code>, which is never renamed; its <code>type</code> is the address of one of these pages.</p>',
    '<p>A 422 is <code>{"detail": [{"loc", "msg", "type"}]}</code>: where in the request each fault is, in words, and its kind. It never repeats a value.</p>',
    '<dl>',
    ...CODES.flatMap((code) => {
      const { status, sentence } = PROBLEMS[code];
      return [
        `<dt>${status} <a href="${problemType(code)}"><code>${code}</code></a></dt>`,
        `<dd>${escapeText(sentence)}</dd>`,
      ];
    }),
    '</dl>',
    ...(hasReference ? [`<p>${REFERENCE}</p>`] : []),
  ];
  return htmlPage({ title: 'Problems', body: body.join('\n'), hasIcon: hasReference });
}

/** Who must act on a reason, and what they do. */
const FIXED_BY: Readonly<Record<FixedBy, readonly [who: string, act: string]>> = {
  patient_data: [
    'The patient data',
    'Check the card with the patient, correct the request, and post a new one.',
  ],
  provider: ['The provider', 'Correct the NPI, or enrol with the payer, and post a new request.'],
  payer: ['The payer', 'Post the request again later, or call the payer.'],
  us: ['This service', 'Give the request id to the operator of the service.'],
};

function reasonPage(reason: ErrorReason, hasReference: boolean): string {
  const { sentence, fixedBy, retryable, nextChannelMayHelp } = ERROR_REASONS[reason];
  const [who, act] = FIXED_BY[fixedBy];
  const body = [
    `<h1>${reason}</h1>`,
    `<p><strong>${escapeText(sentence)}</strong></p>`,
    `<p>${escapeText(act)}</p>`,
    '<dl>',
    `<dt>Who fixes it?</dt><dd>${who}</dd>`,
    `<dt>May the same request succeed later?</dt><dd>${retryable ? 'Yes' : 'No, not without a change'}</dd>`,
    `<dt>May another channel to the payer succeed?</dt><dd>${nextChannelMayHelp ? 'Yes; the service tries it by itself' : 'No'}</dd>`,
    '</dl>',
    `<p><a href="/docs/reasons">All reasons</a>${hasReference ? ` · ${REFERENCE}` : ''}</p>`,
  ];
  return htmlPage({ title: reason, body: body.join('\n'), hasIcon: hasReference });
}

function reasonList(hasReference: boolean): string {
  const body = [
    '<h1>Reasons</h1>',
    '<p>Why a verification, or the delivery of its result, failed: <code>error_reason</code> of a request. A reason is never renamed; new ones may be added.</p>',
    ...Object.entries(FIXED_BY).flatMap(([fixedBy, [who]]) => [
      `<h2>${who}</h2>`,
      '<dl>',
      ...REASONS.filter((reason) => ERROR_REASONS[reason].fixedBy === fixedBy).map(
        (reason) =>
          `<dt><a href="/docs/reasons/${reason}"><code>${reason}</code></a></dt><dd>${escapeText(ERROR_REASONS[reason].sentence)}</dd>`,
      ),
      '</dl>',
    ]),
    ...(hasReference ? [`<p>${REFERENCE}</p>`] : []),
  ];
  return htmlPage({ title: 'Reasons', body: body.join('\n'), hasIcon: hasReference });
}
