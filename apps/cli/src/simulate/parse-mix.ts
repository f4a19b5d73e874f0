import { InvalidArgumentError } from 'commander';
import { type Mix, STEP_KINDS, type StepKind } from './plan-step.ts';

/** Parses `active=70,fail=30`: weights by kind; an unnamed kind gets weight 0. */
export function parseMix(text: string): Mix {
  const mix: Record<StepKind, number> = { active: 0, inactive: 0, fail: 0, silent: 0, release: 0 };
  for (const part of text.split(',')) {
    const [, kind = '', weight = ''] = /^(\w+)=(\d+)$/.exec(part.trim()) ?? [];
    if (!isKind(kind)) {
      throw new InvalidArgumentError(`Expected weights of ${STEP_KINDS.join(', ')}, as active=70,fail=30.`);
    }
    mix[kind] = Number(weight);
  }
  if (STEP_KINDS.every((kind) => mix[kind] === 0))
    throw new InvalidArgumentError('Expected a weight above 0.');
  return mix;
}

function isKind(text: string): text is StepKind {
  return (STEP_KINDS as readonly string[]).includes(text);
}
