import type { ComparedValue, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { findingOf, type ResultFinding } from '../finding.ts';
import { COMPARED_FIELDS, type ComparedField } from './compared-fields.ts';
import { differenceOf, type FieldValue } from './difference-of.ts';

interface Compared {
  /** Null without a request to compare with. */
  readonly asked: Pick<RequestModel, 'request_id' | 'input' | 'received_timestamp'> | null;
  /** Null without a result. */
  readonly standing: ResultFinding | null;
  readonly offered: ResponseModel;
}

/** What was asked, what stands and what is offered, value by value: the request's, then each coverage's. */
export function compareValues({ asked, standing, offered }: Compared): ComparedValue[] {
  const coverageCount = Math.max(offered.insurance_data.length, standing?.insuranceData.length ?? 0);
  const models: Models = {
    asked: asked && { request: asked },
    standing: standing && { request: resultOf(standing), insurance_data: standing.insuranceData },
    offered: { ...offered, request: { ...offered.request, ...resultOf(findingOf(offered)) } },
  };
  const ofCoverages = Array.from({ length: coverageCount }, (_, index) =>
    OF_COVERAGE.map(([path, [kind, name, askedPath]]) => {
      const fullName = coverageCount > 1 ? `${name}, coverage ${index + 1}` : name;
      return comparedField(models, path.replace('*', String(index)), [kind, fullName, askedPath]);
    }),
  );
  return [
    ...OF_REQUEST.map(([path, field]) => comparedField(models, path, field)),
    ...ofCoverages.flat(),
  ].filter((value) => value.asked !== null || value.standing !== null || value.offered !== null);
}

const FIELDS = Object.entries<ComparedField>(COMPARED_FIELDS);
const OF_COVERAGE = FIELDS.filter(([path]) => path.startsWith('/insurance_data/'));
const OF_REQUEST = FIELDS.filter(([path]) => path.startsWith('/request/'));

/** These of a request block are the result's: what the request itself says there is how far it has come. */
const isOfResult = (path: string) =>
  path.startsWith('/insurance_data/') || path === '/request/state' || path === '/request/error_reason';

/** What a finding makes of a request block: why its webhook failed elsewhere is no part of it. Null: it is none yet. */
const resultOf = (finding: ResultFinding | null) =>
  finding && { state: finding.outcome, error_reason: finding.errorReason };

interface Models {
  readonly asked: object | null;
  readonly standing: object | null;
  readonly offered: object;
}

/** A result's value is compared with the one that stands, and with the request only where that has the like. */
function comparedField(
  models: Models,
  path: string,
  [kind, name, askedOfResult]: ComparedField,
): ComparedValue {
  const offered = valueAt(models.offered, path);
  const askedPath = isOfResult(path) ? askedOfResult : path;
  const asked = askedPath === undefined ? undefined : valueAt(models.asked, askedPath);
  // A payer may know more of a patient than the request says, or say less; who repeats the request may not.
  const isAsked = isOfResult(path)
    ? displayText(asked) !== null && displayText(offered) !== null
    : models.asked !== null;
  const isStanding = isOfResult(path) && models.standing !== null;
  const standing = isStanding ? valueAt(models.standing, path) : undefined;
  const fromAsked = isAsked ? differenceOf(kind, asked, offered) : NOTHING;
  const fromStanding = isStanding ? differenceOf(kind, standing, offered) : NOTHING;
  return {
    field: path,
    name,
    asked: isAsked ? shownOf(path, displayText(asked)) : null,
    standing: displayText(standing),
    offered: displayText(offered),
    asked_difference: fromAsked.difference,
    asked_places: fromAsked.places,
    standing_difference: fromStanding.difference,
    standing_places: fromStanding.places,
  };
}

const NOTHING = differenceOf('exact', null, null);

/** A stranger's output repeats what was asked once for each coverage: as a long text it would be many megabytes. */
const ASKED_LENGTH_MAX = 500;

const shownOf = (path: string, asked: string | null) =>
  asked !== null && asked.length > ASKED_LENGTH_MAX && path.startsWith('/insurance_data/')
    ? `${asked.slice(0, ASKED_LENGTH_MAX)}…`
    : asked;

/** The value under a JSON pointer whose names are those of the models, none of which needs an escape. */
function valueAt(model: unknown, path: string): FieldValue {
  let value = model;
  for (const key of path.slice(1).split('/'))
    value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value as FieldValue;
}

/** As the review shows it: that a payer covers none of the codes is not that it did not say. */
const displayText = (value: FieldValue): string | null =>
  typeof value === 'object' && value !== null
    ? value.length === 0
      ? 'none'
      : value.join(', ')
    : (value ?? null);
