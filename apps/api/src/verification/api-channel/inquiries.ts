import type { CodeCounts, CodeSystem, ExchangeCodes } from '@insurance-verification/store';
import {
  type AskedInquiries,
  askedProcedures,
  type AskedProcedure,
  type Finding,
  type InquiryContent,
  isRefusal,
  keyOfProcedure,
  leanInquiry,
  readAnswer,
  type ReadAnswer,
  readCodesAnswered,
  readFindings,
  toEligibilityInquiry,
  unansweredCodes,
} from '@insurance-verification/x12';
import { type InquirySettings, LEAN_INQUIRY } from '../../config/payer-inquiry.ts';
import { askPayer, type AskOptions, contextOf, type PayerExchange } from './ask-payer.ts';
import type { CodeAnswers, CodesTaken } from './code-answers.ts';

/** Inquiries about one request, without retries: payers charge for each. */
const INQUIRY_COUNT_MAX = 3;

/** The service type of the plan as a whole. */
const WHOLE_PLAN = '30';

/** No further inquiry is begun later than this after the first: the lease ends after 90 s, and one takes 20 s. */
const FURTHER_WITHIN_MS = 60_000;

export interface InquiriesOptions extends Omit<AskOptions, 'content' | 'number' | 'keep'> {
  /** DMG03 of the request; null: not given. */
  readonly gender: string | null;
  readonly codeAnswers: CodeAnswers;
  /** Called with every exchange but the last, before the next begins. `codes`: how the answer treats those asked for. */
  readonly keep: (exchange: PayerExchange, codes: ExchangeCodes | null) => Promise<void>;
  /** The answers that a process kept before it ended, from the first inquiry on: they are not asked for again. */
  readonly kept: readonly KeptInquiry[];
}

/** An inquiry that a process which ended since has sent, and its answer. */
export interface KeptInquiry {
  readonly content: InquiryContent;
  /** Null when the payer did not answer. */
  readonly text: string | null;
  /** Why not: `HTTP 503`. */
  readonly failure: string | null;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** An inquiry that is over, and how its answer reads by itself. */
interface DoneInquiry extends Omit<KeptInquiry, 'text'> {
  /** Null when the payer gave none. */
  readonly answer: ReadAnswer | null;
  readonly finding: Finding;
}

/** The outcome of all inquiries about a request. */
export interface AskedPayer {
  readonly finding: Finding;
  /** The last exchange of this process, which nothing has kept yet; null where all were kept before. */
  readonly last: { readonly asked: PayerExchange; readonly codes: ExchangeCodes | null } | null;
}

/**
 * Asks a payer about a request: a lean inquiry first, at most three together. Each is an exchange of its own with the same
 * trace. The first row that matches is the next inquiry:
 *
 * | after                                          | is asked                                                              |
 * |------------------------------------------------|-----------------------------------------------------------------------|
 * | nothing                                        | the first service type; `together` `many`: all, and codes unless `auto` |
 * | AAA 15, 33, 52–55 to several EQ, or to `35`     | one service type, without codes; the plan in place of `35`            |
 * | AAA 68, 76                                     | the same with the address                                             |
 * | any other outcome than an Active               | nothing                                                               |
 * | an Active                                      | the codes that it does not speak of, where the payer takes them       |
 * | AAA 15, 33, 52–55 to codes                     | fewer: without service types or codes next to them, one list, one code |
 * | the same, or an answer                         | the next service type                                                 |
 *
 * The answers are read as one finding: see `readFindings`. A further inquiry that fails takes nothing from what is known.
 */
export async function askInquiries(options: InquiriesOptions): Promise<AskedPayer> {
  const begunAt = performance.now();
  const plan = new InquiryPlan(options);
  const done: DoneInquiry[] = options.kept.map((one) => readKept(one, options));
  // Without a status it is asked again what the payer did not answer.
  while (done.at(-1)?.answer === null && !isActive(done[baseOf(done)]?.finding)) done.pop();
  let last: AskedPayer['last'] = null;
  let next = done.length === 0 ? plan.first() : await plan.next(done);
  while (next !== null) {
    const { kept: _, keep, retryDelaysMs, ...rest } = options;
    const isFirst = done.length === 0;
    const codesOf = (asked: PayerExchange) => plan.codesOf(doneBy(asked));
    const asked = await askPayer({
      ...rest,
      content: next,
      number: done.length + 1,
      // What is known already must not wait for a payer that has gone away.
      ...(isFirst ? retryDelaysMs && { retryDelaysMs } : { retryDelaysMs: [] }),
      keep: (one) => keep(one, codesOf(one)),
    });
    const codes = codesOf(asked);
    if (codes) options.codeAnswers.note(options.connection.payerId, codes);
    last = { asked, codes };
    done.push(doneBy(asked));
    next = performance.now() - begunAt > FURTHER_WITHIN_MS ? null : await plan.next(done);
    if (next !== null) await keep(asked, codes);
  }
  return { finding: await plan.join(done), last };
}

function doneBy({ content, exchanged, answer, finding }: PayerExchange): DoneInquiry {
  const { startedAt, durationMs } = exchanged;
  const failure = exchanged.kind === 'answered' ? null : exchanged.code;
  return { content, failure, startedAt, durationMs, answer, finding };
}

function readKept({ text, ...one }: KeptInquiry, options: InquiriesOptions): DoneInquiry {
  if (text !== null) {
    const answer = readAnswer(text, contextOf(one, options));
    return { ...one, answer, finding: answer.finding };
  }
  const payerCodes = one.failure === null ? [] : [one.failure];
  const finding = { kind: 'no_result', reason: 'payer_unavailable', payerCodes, mayRetry: true } as const;
  return { ...one, answer: null, finding: { ...finding, isUnsure: false, insuranceData: [] } };
}

/** Which inquiries one request takes, by the payer's settings and its answers. */
class InquiryPlan {
  readonly #options: InquiriesOptions;
  readonly #settings: InquirySettings;
  readonly #asked: readonly AskedProcedure[];
  #taken: Promise<CodesTaken> | undefined;
  /** How many codes the inquiry for one code leaves out. */
  #leftOut = 0;

  constructor(options: InquiriesOptions) {
    this.#options = options;
    this.#settings = options.connection.inquiry ?? LEAN_INQUIRY;
    this.#asked = askedProcedures(options.request);
  }

  first(): InquiryContent {
    const { together, procedures } = this.#settings;
    const types = this.#types();
    const isWhole = together === 'many';
    const codes = isWhole && procedures !== 'auto' ? this.#asked.filter((one) => this.#isSet(one)) : [];
    return this.#content(isWhole ? types : types.slice(0, 1), codes);
  }

  /** The inquiry after these; null: there is nothing more to ask. */
  async next(done: readonly DoneInquiry[]): Promise<InquiryContent | null> {
    if (done.length >= INQUIRY_COUNT_MAX) return null;
    const base = baseOf(done);
    const { content, finding } = done[base] ?? {};
    const last = done.at(-1);
    if (!content || !finding || !last) return null;
    if (!isActive(finding)) return base === done.length - 1 ? this.#mended(done, last) : null;
    const later = done.slice(base + 1);
    const ofCodes = later.filter((one) => one.content.procedures.length > 0);
    if (ofCodes.length === 0) {
      const codes = await this.#codesToAsk(done, base);
      if (codes.length > 0) return this.#content([], codes, content);
    }
    const fewer = ofCodes.length === 1 && last === ofCodes[0] ? this.#fewer(last) : null;
    if (fewer) return this.#content([], fewer, content);
    const asked = new Set(done.flatMap((one) => one.content.serviceTypes));
    const type = this.#types().find((one) => !asked.has(one));
    return type === undefined ? null : this.#content([type], [], content);
  }

  /** A second try for a request that has no status: with less, or with the address. */
  #mended(done: readonly DoneInquiry[], { content, finding }: DoneInquiry): InquiryContent | null {
    if (finding.kind === 'result') return null;
    const { serviceTypes, procedures } = content;
    if (isRefusal(finding)) {
      if (serviceTypes.length + procedures.length > 1)
        return this.#content(serviceTypes.slice(0, 1), [], content);
      // A medical payer may refuse to be asked about teeth.
      const isOurs = this.#settings.serviceTypes === null && serviceTypes[0] !== WHOLE_PLAN;
      return isOurs && done.length === 1 ? this.#content([WHOLE_PLAN], [], content) : null;
    }
    const isAmbiguous = finding.reason === 'member_ambiguous' && !finding.isUnsure;
    if (!isAmbiguous || this.#settings.address === 'never') return null;
    if (done.some((one) => one.content.hasAddress)) return null;
    const withAddress = { ...content, hasAddress: true };
    return this.#hasAddress(withAddress) ? withAddress : null;
  }

  /** Whether the request's address can be written at all. */
  #hasAddress(content: InquiryContent): boolean {
    const { connection, request, requestId } = this.#options;
    const context = {
      requestId,
      traceOrigin: connection.traceOrigin,
      payerId: connection.x12PayerId,
      serviceDate: '',
      askedAt: new Date(0),
      content,
    };
    return toEligibilityInquiry(request, context).subscriber.address !== null;
  }

  /** The codes of an inquiry that was refused, without those that may be why; null: none are left. */
  #fewer({ content: { procedures }, finding }: DoneInquiry): readonly AskedProcedure[] | null {
    if (!isRefusal(finding)) return null;
    const own = this.#asked.filter((one) => procedures.some((other) => isSame(one, other)));
    const dental = own.filter((one) => systemOf(one) === 'dental');
    if (dental.length > 0 && dental.length < own.length) return dental;
    return own.length > 1 && this.#settings.together === 'one' ? this.#firstOf(own) : null;
  }

  /** The codes that the answer with the status does not speak of, and that the payer takes. */
  async #codesToAsk(done: readonly DoneInquiry[], base: number): Promise<readonly AskedProcedure[]> {
    const open = this.#open(done, base).filter((one) => this.#isSet(one));
    if (open.length === 0) return [];
    const { systems, isOneAtATime } = await this.#judged(open);
    const taken = open.filter((one) => systems.has(systemOf(one)));
    return isOneAtATime ? this.#firstOf(taken) : taken;
  }

  #firstOf(codes: readonly AskedProcedure[]): readonly AskedProcedure[] {
    this.#leftOut = Math.max(codes.length - 1, 0);
    return codes.slice(0, 1);
  }

  /** The codes that the answer with the status does not speak of, and that no inquiry has asked for. */
  #open(done: readonly DoneInquiry[], base: number): readonly AskedProcedure[] {
    const answer = done[base]?.answer ?? null;
    if (this.#asked.length === 0 || answer === null) return this.#asked;
    const sent = new Set(done.flatMap(({ content }) => content.procedures.map(keyOfProcedure)));
    return unansweredCodes(answer, this.#contextOf(done, base)).filter(
      (one) => !sent.has(keyOfProcedure(one)),
    );
  }

  /** Whether the settings allow a code. */
  #isSet(one: AskedProcedure): boolean {
    const { procedures } = this.#settings;
    return procedures !== 'none' && (procedures !== 'cdt' || systemOf(one) === 'dental');
  }

  async #judged(codes: readonly AskedProcedure[]): Promise<CodesTaken> {
    const systems = [...new Set(codes.map(systemOf))];
    if (this.#settings.procedures === 'auto')
      return (this.#taken ??= this.#options.codeAnswers.judge(this.#options.connection.payerId, systems));
    return { systems: new Set(systems), isOneAtATime: false };
  }

  #types(): readonly string[] {
    return this.#settings.serviceTypes ?? leanInquiry(this.#options.request).serviceTypes;
  }

  #content(
    serviceTypes: readonly string[],
    procedures: readonly AskedProcedure[],
    { hasAddress }: Pick<InquiryContent, 'hasAddress'> = { hasAddress: false },
  ): InquiryContent {
    const { hasTin, hasGender } = this.#settings;
    return { serviceTypes, procedures, hasAddress, hasTin, gender: hasGender ? this.#options.gender : null };
  }

  #contextOf(done: readonly DoneInquiry[], base: number) {
    const one = done[base];
    if (!one) throw new Error('An inquiry was asked');
    return contextOf(one, this.#options);
  }

  /** The answers as one finding. */
  async join(done: readonly DoneInquiry[]): Promise<Finding> {
    const base = baseOf(done);
    const own = done[base];
    if (!own) throw new Error('An inquiry was asked');
    if (own.finding.kind !== 'result' || own.answer === null) return own.finding;
    const unasked = await this.#unasked(done, base);
    // Those before it without codes were only mended.
    const others = done
      .map((one, index) => ({ ...one, number: index + 1 }))
      .filter(
        ({ number, content }) => number > base + 1 || (number <= base && content.procedures.length > 0),
      );
    if (others.length === 0 && unasked.length === 0 && base === 0) return own.finding;
    const inquiries: AskedInquiries = {
      first: { number: base + 1, procedures: own.content.procedures },
      others: others.map(({ number, content: { procedures, serviceTypes }, answer, failure }) => ({
        number,
        procedures,
        serviceTypes,
        answer,
        failure,
      })),
      unasked,
    };
    return readFindings(own.answer, inquiries, this.#contextOf(done, base));
  }

  /** Why codes were not asked for. */
  async #unasked(done: readonly DoneInquiry[], base: number): Promise<AskedInquiries['unasked']> {
    const open = this.#open(done, base);
    if (open.length === 0) return [];
    if (!isActive(done[base]?.finding)) return [{ why: 'no_active_plan', procedures: open }];
    const set = open.filter((one) => this.#isSet(one));
    const { systems } = set.length > 0 ? await this.#judged(set) : { systems: new Set() };
    const isTaken = (one: AskedProcedure) => set.includes(one) && systems.has(systemOf(one));
    const isLeftOut = done.some(({ content }) => content.procedures.length === 1);
    return [
      { why: 'payer_takes_none', procedures: open.filter((one) => !isTaken(one)) },
      { why: isLeftOut ? 'one_at_a_time' : 'too_late', procedures: open.filter(isTaken) },
    ];
  }

  /** How an answer treats the codes of its inquiry; null where it asked for none, or shows nothing of them. */
  codesOf(one: DoneInquiry): ExchangeCodes | null {
    const { procedures } = one.content;
    if (procedures.length === 0) return null;
    const read = readCodesAnswered(
      { answer: one.answer, failure: one.failure, procedures },
      contextOf(one, this.#options),
    );
    if (read === null) return null;
    const countOf = (list: readonly InquiryContent['procedures'][number][], system: CodeSystem) =>
      list.filter((code) => systemOf(code) === system).length;
    const countsOf = (system: CodeSystem): CodeCounts | null => {
      const asked = countOf(procedures, system);
      return asked === 0
        ? null
        : {
            asked,
            answered: countOf(read.answered, system),
            refused: countOf(read.refused, system),
            together: procedures.length,
            leftOut: procedures.length === 1 ? this.#leftOut : 0,
          };
    };
    const [dental, medical] = [countsOf('dental'), countsOf('medical')];
    return { ...(dental && { dental }), ...(medical && { medical }) };
  }
}

/**
 * The inquiry whose answer has the status, or the reason for none: the last without an Active before it. The address does not
 * make a reason: a payer that finds several members has found them, whatever it says of the address.
 */
function baseOf(done: readonly DoneInquiry[]): number {
  let base = 0;
  for (const [index, { content, finding }] of done.entries()) {
    const before = done[base];
    if (index === 0 || isActive(before?.finding) || before?.finding.kind === 'result') continue;
    if (content.hasAddress && finding.kind !== 'result') continue;
    base = index;
  }
  return base;
}

function isActive(finding: Finding | undefined): boolean {
  return (
    finding?.kind === 'result' &&
    finding.insuranceData.some(({ plan_info: plan }) => plan.eligibility_status === 'Active')
  );
}

function isSame(
  one: Pick<AskedProcedure, 'code' | 'modifiers'>,
  other: Pick<AskedProcedure, 'code' | 'modifiers'>,
): boolean {
  return keyOfProcedure(one) === keyOfProcedure(other);
}

function systemOf({ qualifier }: Pick<AskedProcedure, 'qualifier'>): CodeSystem {
  return qualifier === 'AD' ? 'dental' : 'medical';
}
