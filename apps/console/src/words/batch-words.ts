import type {
  BatchColumn,
  BatchCounters,
  BatchMode,
  BatchOutcome,
  BatchRowOutcome,
  BatchState,
  SpreadsheetDoubt,
} from '@insurance-verification/schema';
import type { Outputs } from '../api/api.ts';
import { reasonText } from './reason-words.ts';
import { ANSWERS, type Words, WITHDRAWN } from './request-words.ts';

const STATES: Readonly<Record<Exclude<BatchState, 'ended'>, Words>> = {
  receiving: { tone: 'wait', word: 'Being received' },
  incomplete: { tone: 'warn', word: 'Incomplete' },
  running: { tone: 'wait', word: 'Running' },
  canceling: { tone: 'wait', word: 'Being canceled' },
};

const OUTCOMES: Readonly<Record<BatchOutcome, Words>> = {
  all: { tone: 'good', word: 'All answered' },
  some: { tone: 'warn', word: 'Some answered' },
  none: { tone: 'bad', word: 'None answered' },
};

/**
 * Where a batch is; of an ended one how many of its rows were answered, of a canceled one who did it and how many rows were
 * withdrawn.
 */
export function batchWords({ state, outcome, canceled_by: by, counters }: Outputs['batches']['get']): Words {
  if (by !== null) {
    const withdrawn = counters.closed > 0 ? `, ${counters.closed.toLocaleString('en-US')} withdrawn` : '';
    return { tone: state === 'ended' ? 'quiet' : 'wait', word: `Canceled by ${by}${withdrawn}` };
  }
  return state === 'ended' ? OUTCOMES[outcome ?? 'none'] : STATES[state];
}

export const MODES: Readonly<Record<BatchMode, string>> = {
  accept_valid: 'The valid rows',
  all_or_nothing: 'All rows, or none',
};

/** The counters of a batch in a reader's order, without the sum of them. */
export const COUNTERS: Readonly<Record<Exclude<keyof BatchCounters, 'received'>, string>> = {
  answered: 'Answered',
  failed: 'Could not verify',
  waiting: 'Waiting',
  working: 'Being worked on',
  held: 'Held',
  closed: 'Withdrawn',
  erased: 'Data erased',
  rejected: 'Rejected',
};

/** What is known of a row. */
export const ROW_OUTCOMES: Readonly<Record<BatchRowOutcome, Words>> = {
  active: { tone: 'good', word: 'Active' },
  inactive: { tone: 'bad', word: 'Inactive' },
  not_answered: { tone: 'wait', word: 'Waiting' },
  failed: { tone: 'warn', word: 'Could not verify' },
  erased: { tone: 'quiet', word: 'Data erased' },
};

/** What is known of a row in words: one that was asked may have an answer that does not say whether it covers. */
export function rowWords({ outcome, error, result }: Outputs['batches']['results']['items'][number]): Words {
  if (error === 'withdrawn') return WITHDRAWN;
  if (outcome === 'not_answered' && result !== null) return ANSWERS.unstated;
  const { tone, word } = ROW_OUTCOMES[outcome];
  return { tone, word: error === null ? word : `${word}: ${reasonText(error)}` };
}

/** What each column of a file is read as. */
export const COLUMN_WORDS: Readonly<Record<BatchColumn, string>> = {
  reference: 'Your own id of the row',
  'patient_info.subscriber_id': 'Member id',
  'patient_info.dob': 'Date of birth',
  'patient_info.name': 'Patient’s name',
  'patient_info.address': 'Patient’s address',
  'payer_info.name': 'Plan',
  'payer_info.phone_number': 'Payer’s phone',
  'provider_info.npi': 'NPI',
  'provider_info.name': 'Provider’s name',
  'provider_info.tin': 'TIN',
  'provider_info.organization_name': 'Organization',
  cpt_code_coverage: 'Procedure codes',
  callback_url: 'Callback address',
  service_date: 'Day of service',
  needed_by: 'Needed by',
  gender: 'Gender',
};

/** The member that a fault is about, as its column and what that is read as. */
export function memberWords(loc: readonly (string | number)[]): string {
  const path = loc.slice(1).filter((part) => typeof part === 'string');
  const name = path.join('.');
  const words = (COLUMN_WORDS as Readonly<Record<string, string>>)[name];
  if (words !== undefined) return words;
  return name === '' ? 'The whole row' : name;
}

export const DOUBTS: Readonly<Record<SpreadsheetDoubt, string>> = {
  lost_zero: 'one digit is missing, as where a spreadsheet drops a leading zero',
  date_as_number: 'a number in place of a date, as a spreadsheet stores it',
  scientific_number: 'a long number in short form, as 1.23E+11: its last digits are lost',
};
