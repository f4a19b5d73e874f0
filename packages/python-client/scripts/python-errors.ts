import { type ProblemCode, PROBLEMS } from '@insurance-verification/schema';
import { docstring, pascalCase } from './python-text.ts';

/** Those without a code, from `_base_errors.py`. */
const OTHERS = [
  'AnswerError',
  'DoubtfulMembersWarning',
  'InsuranceVerificationError',
  'NoAnswerError',
  'NoAnswerInTimeError',
  'NoConnectionError',
  'ProblemError',
  'UnexpectedAnswerError',
  'UnusableInputError',
  'ValidationFailedError',
  'WebhookContentError',
  'WebhookVerificationError',
];

export const errorName = (code: ProblemCode): string => `${pascalCase(code)}Error`;

/** `errors.py`: every error of the package, with a class for each code of a problem. */
export function pythonErrors(codes: readonly ProblemCode[]): string {
  const names = [...OTHERS, ...codes.map(errorName)].toSorted();
  return `"""Every error that a call or a webhook raises. All are \`InsuranceVerificationError\`. And what a test account is warned of."""

from collections.abc import Mapping

from ._base_errors import (
${OTHERS.map((name) => `    ${name},\n`).join('')})

__all__ = [
${names.map((name) => `    "${name}",\n`).join('')}]

${codes.map(classOf).join('\n')}

PROBLEMS: Mapping[str, type[ProblemError]] = {
${codes.map((code) => `    "${code}": ${errorName(code)},\n`).join('')}}
"""The class of each code."""
`;
}

function classOf(code: ProblemCode): string {
  const { status, sentence } = PROBLEMS[code];
  const text = docstring(`${status} \`${code}\`. ${sentence}`, '    ');
  return `\nclass ${errorName(code)}(ProblemError):\n${text}\n    sentence = ${JSON.stringify(sentence)}\n`;
}
