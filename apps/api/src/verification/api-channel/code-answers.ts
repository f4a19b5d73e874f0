import {
  CODE_ANSWER_COUNT,
  type CodeAnswer,
  type CodeSystem,
  type ExchangeCodes,
  readCodeAnswers,
  type Store,
} from '@insurance-verification/store';

/** Whether a payer answers for codes, by its last answers. */
export interface CodesTaken {
  /** Of the lists asked about, those whose codes are worth asking for. */
  readonly systems: ReadonlySet<CodeSystem>;
  /** Whether it has refused several codes in one inquiry, and answered for none of them. */
  readonly isOneAtATime: boolean;
}

/** What payers' answers to inquiries for codes have shown. */
export interface CodeAnswers {
  /** Whether a payer answers for codes of these lists. Reads the database at most once a minute for each payer. */
  judge(payerId: string, systems: readonly CodeSystem[]): Promise<CodesTaken>;
  /** Adds an answer of this process once it is kept. */
  note(payerId: string, codes: ExchangeCodes): void;
}

const SYSTEMS: readonly CodeSystem[] = ['dental', 'medical'];

/** A payer that stopped to answer for codes is asked for some again after this time. */
const RETRY_AFTER_MS = 30 * 24 * 3_600_000;

/** Milliseconds for which answers of other processes are unknown: through a pooler several ask one payer. */
const FRESH_MS = 60_000;

/** An inquiry and its retries end within this time, and its answer is known. */
const TRIAL_MS = 120_000;

interface Known {
  answers: readonly CodeAnswer[];
  readAt: number;
  /** When codes of a list were last tried again. */
  readonly trials: Map<CodeSystem, number>;
}

/**
 * Judges by the evidence: each kept exchange has the counts of its codes, so that a restart and every process know the same
 * without another row to lock. Codes of one list are asked for while one of the payer's last twenty answers about that list
 * spoke of a code. A payer with fewer answers is still asked.
 */
export function createCodeAnswers(store: Store, now: () => number = Date.now): CodeAnswers {
  const byPayer = new Map<string, Known>();

  const knownOf = async (payerId: string): Promise<Known> => {
    const known = byPayer.get(payerId);
    if (known && now() - known.readAt < FRESH_MS) return known;
    const readAt = now();
    const answers = await readCodeAnswers(store, payerId);
    const fresh = { answers, readAt, trials: known?.trials ?? new Map<CodeSystem, number>() };
    byPayer.set(payerId, fresh);
    return fresh;
  };

  const isTaken = ({ answers, trials }: Known, system: CodeSystem): boolean => {
    const own = answers.filter((one) => one.system === system);
    const [latest] = own;
    if (own.length < CODE_ANSWER_COUNT || own.some(({ answered }) => answered > 0)) return true;
    if (latest && now() - latest.at.getTime() < RETRY_AFTER_MS) return false;
    if (now() - (trials.get(system) ?? -Infinity) < TRIAL_MS) return false;
    trials.set(system, now());
    return true;
  };

  return {
    judge: async (payerId, systems) => {
      const known = await knownOf(payerId);
      return {
        systems: new Set(systems.filter((system) => isTaken(known, system))),
        isOneAtATime: isOneAtATime(known.answers),
      };
    },
    note: (payerId, codes) => {
      const known = byPayer.get(payerId);
      if (!known) return; // the next judgement reads it
      const at = new Date(now());
      const added = SYSTEMS.flatMap((system) => {
        const counts = codes[system];
        return counts ? [{ system, at, ...counts }] : [];
      });
      known.answers = SYSTEMS.flatMap((system) =>
        [...added, ...known.answers].filter((one) => one.system === system).slice(0, CODE_ANSWER_COUNT),
      );
    },
  };
}

/** A mixed inquiry is no evidence: the payer may have refused one list only. */
function isOneAtATime(answers: readonly CodeAnswer[]): boolean {
  const several = answers.filter(({ asked, together }) => asked > 1 && asked === together);
  if (several.some(({ answered }) => answered > 0)) return false;
  return (
    several.some(({ asked, refused }) => refused === asked) || answers.some(({ leftOut }) => leftOut > 0)
  );
}
