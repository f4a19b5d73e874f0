import {
  type CoverageBenefits,
  SHEETS,
  SubmittedBenefit,
  type VerificationAttempt,
} from '@insurance-verification/schema';
import type { Outputs } from '../api/api.ts';
import {
  type AskedItem,
  type CoverageDraft,
  type Draft,
  emptyCoverage,
  type EvidenceField,
} from './draft.ts';
import { ownRowsOf, readSheet, rowField, type SheetDraft } from './sheet.ts';

/** A submitted result, as the page of the request has it. */
export interface SaidResult {
  readonly result: Outputs['requests']['result'];
  readonly benefits: Outputs['requests']['benefits'];
  /** The attempt of the verifier that made it. */
  readonly attempt: VerificationAttempt | undefined;
}

/** A submitted result as a draft. */
export interface SaidDraft {
  readonly draft: Draft;
  /** By the coverage's key, the benefits that neither a code nor a row of a sheet says: another program may have submitted them. */
  readonly others: Readonly<Record<string, readonly SubmittedBenefit[]>>;
}

/** Reads a submitted result as the draft that submits the same. */
export function draftOfResult({ result, benefits, attempt }: SaidResult, item: AskedItem): SaidDraft {
  const others: Record<string, readonly SubmittedBenefit[]> = {};
  const evidence: Draft['evidence'][number][] = [];
  const coverages = result.insurance_data.map((entry, index): CoverageDraft => {
    const empty = emptyCoverage(item);
    const { key } = empty;
    const { patient_info: patient, plan_info: plan } = entry;
    const said = benefits.coverages.find((one) => one.entry === index);
    const rest = [...(said?.benefits ?? [])];
    const covered = new Set(plan.cpt_code_coverage);
    const codes = Object.fromEntries(
      Object.keys(empty.codes).map((code) => {
        const at = rest.findIndex(
          ({ kind, service, source }) =>
            kind === 'not_covered' &&
            service.procedure?.code === code &&
            source.kind === 'verifier' &&
            source.quote === null,
        );
        if (at !== -1) rest.splice(at, 1);
        return [code, covered.has(code) ? 'covered' : at === -1 ? 'not_answered' : 'not_covered'] as const;
      }),
    );
    const refused = Object.keys(codes).filter((code) => codes[code] === 'not_covered');
    const line = refused.length === 0 ? '' : `Not covered: ${refused.join(', ')}.`;
    const notes = entry.notes ?? '';
    const sheet = said ? sheetOf({ ...said, benefits: rest }, item) : { draft: empty.sheet, rows: new Map() };
    for (const [field, at] of sheet.rows) {
      const { source } = rest[at] ?? {};
      if (source?.kind === 'verifier' && source.quote !== null)
        evidence.push({ key: crypto.randomUUID(), coverage: key, field, quote: source.quote });
    }
    const read = new Set(sheet.rows.values());
    others[key] = rest.filter((_, at) => !read.has(at)).map(toSubmitted);
    for (const { field, quote } of attempt?.provenance ?? []) {
      const [, at, of] = /^\/(\d+)\/plan_info\/(\w+)$/.exec(field) ?? [];
      if (Number(at) === index && isEvidenceField(of) && quote)
        evidence.push({ key: crypto.randomUUID(), coverage: key, field: of, quote });
    }
    const asked = item.request.input.patient_info;
    const differs =
      patient.subscriber_id !== asked.subscriber_id || (patient.dob ?? '') !== (asked.dob ?? '');
    return {
      ...empty,
      eligibility: plan.eligibility_status ?? 'not_answered',
      plan: plan.plan_name ?? '',
      start: plan.start_date ?? '',
      end: plan.end_date ?? '',
      codes,
      notes: line !== '' && notes.startsWith(line) ? notes.slice(line.length).trimStart() : notes,
      differs,
      ...(differs && { memberId: patient.subscriber_id, dob: patient.dob ?? '' }),
      sheet: sheet.draft,
    };
  });
  return {
    draft: {
      coverages: coverages.length === 0 ? [emptyCoverage(item)] : coverages,
      note: attempt?.note ?? '',
      reference: attempt?.reference ?? '',
      representative: attempt?.representative ?? '',
      pasted: '',
      evidence,
    },
    others,
  };
}

const EVIDENCE_FIELDS: ReadonlySet<string> = new Set<EvidenceField>([
  'eligibility_status',
  'plan_name',
  'start_date',
  'end_date',
  'cpt_code_coverage',
]);
const isEvidenceField = (field: string | undefined): field is EvidenceField =>
  field !== undefined && EVIDENCE_FIELDS.has(field);

type Benefit = CoverageBenefits['benefits'][number];

/** The sheet whose rows say the most of these benefits, and which row says which. */
function sheetOf(said: CoverageBenefits, item: AskedItem) {
  const sheets = [
    ...(ownRowsOf(item).length > 0 ? [{ name: 'payer' as const, rows: ownRowsOf(item) }] : []),
    { name: 'dental' as const, rows: SHEETS.dental },
    { name: 'medical' as const, rows: SHEETS.medical },
  ];
  const networks = new Set(said.benefits.map(({ network }) => network));
  const [network = null] = networks.size === 1 ? networks : [];
  const read = sheets.map(({ name, rows }) => {
    const answers: Record<string, string> = {};
    const found = new Map<`sheet-${string}`, number>();
    const taken = new Set<number>();
    for (const row of rows) {
      if (row.reads === 'network') answers[row.id] = network === 'in' || network === 'out' ? network : '';
      else if (row.reads === 'group_number') answers[row.id] = said.group_number ?? '';
      else if (row.reads === 'order') answers[row.id] = said.order === null ? '' : ORDERS[said.order];
      else
        for (const [at, benefit] of said.benefits.entries()) {
          const text = taken.has(at)
            ? undefined
            : textsOf(benefit).find((typed) => {
                const { answered } = readSheet(
                  { name, answers: { [row.id]: typed } },
                  { item, today: new Date(), quoteOf: () => undefined },
                );
                return answered?.benefits[0] && bareOf(answered.benefits[0]) === bareOf(benefit);
              });
          if (text === undefined) continue;
          answers[row.id] = text;
          taken.add(at);
          found.set(rowField(row), at);
          break;
        }
    }
    return { draft: { name, answers } satisfies SheetDraft, rows: found };
  });
  const [first, ...more] = read;
  const best = more.reduce((one, other) => (other.rows.size > one.rows.size ? other : one), first ?? NONE);
  const hasGroup = said.group_number !== null || said.order !== null;
  return best.rows.size > 0 || hasGroup || best.draft.name === 'payer' ? best : NONE;
}

const NONE: { readonly draft: SheetDraft; readonly rows: ReadonlyMap<`sheet-${string}`, number> } = {
  draft: { name: 'none', answers: {} },
  rows: new Map(),
};

const ORDERS = { primary: '1', secondary: '2', tertiary: '3' } as const;

const UNITS: Readonly<Record<string, string>> = { calendar_year: 'y', month: 'm', day: 'd' };

/** What a person may have typed into a row that says a benefit. */
function textsOf({ amount, percent, quantity, frequency: [often], dates: [day], related: [party] }: Benefit) {
  const unit = UNITS[often?.period ?? ''];
  const many = often?.period_count ?? '1';
  return [
    amount,
    percent,
    quantity?.value,
    often?.count && unit && `${often.count}/${many === '1' ? '' : many}${unit}`,
    day?.start,
    party?.name,
    'y',
    'n',
    '-',
  ].filter((text) => typeof text === 'string' && text !== '') as string[];
}

/** Without what the service adds: equal for a submitted benefit and the same one as the service returns it. */
function bareOf(benefit: Benefit | SubmittedBenefit): string {
  const { network: _network, ...said } = benefit;
  return JSON.stringify(bare(said));
}

const ADDED: ReadonlySet<string> = new Set(['benefit_id', 'source', 'quote', 'remaining']);

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(bare);
  if (typeof value === 'string')
    return /^\d+(\.\d+)?$/.test(value) ? String(Number(value)) : value || undefined;
  if (typeof value !== 'object' || value === null) return value === false ? undefined : (value ?? undefined);
  const members = Object.entries(value)
    .filter(([name]) => !ADDED.has(name) && !(name === 'name' && 'code' in value))
    .map(([name, member]) => [name, bare(member)] as const)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** A benefit as it was submitted: without what the service has added. */
function toSubmitted({
  benefit_id: _id,
  source,
  insurance_type: type,
  ...benefit
}: Benefit): SubmittedBenefit {
  return SubmittedBenefit.parse({
    ...benefit,
    ...(type && { insurance_type: { slug: type.slug, ...(type.code !== '' && { code: type.code }) } }),
    ...(source.kind === 'verifier' && source.quote !== null && { quote: source.quote }),
  });
}
