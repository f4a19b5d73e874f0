import type { PayerCandidate, PayerMatch, ResolvePayer } from '@insurance-verification/schema';
import type { ConfiguredPayer } from '../config/payers.ts';
import type { Handlers } from '../procedure/procedure.ts';

/** The payers that requests may name. */
export const payers: Handlers<'payers'> = {
  list: async ({ ctx: { app } }) => ({
    items: app.config.payers.all.map((payer) => ({
      payer_id: payer.id,
      name: payer.name,
      ...(payer.x12 && payer.inquiry.hasGender && { asks_gender: true }),
    })),
  }),

  resolve: async ({ ctx: { app }, input }) => ({ items: resolvePayer(app.config.payers.all, input) }),
};

type KnownPayer = Pick<ConfiguredPayer, 'id' | 'name' | 'aliases' | 'phoneNumber' | 'x12PayerId'>;

/** Strongest first. */
const STRENGTH: readonly PayerMatch[] = ['payer_id', 'phone', 'payer_name', 'alias', 'words'];

/** The payers that a card may mean, each with every reason; the strongest first, then the most shared words. */
export function resolvePayer(known: readonly KnownPayer[], card: ResolvePayer): PayerCandidate[] {
  const asked = wordsOf(card.text ?? '');
  const common = wordsOfAll(known);
  const candidates = known.flatMap((payer): PayerCandidate[] => {
    const own = wordsOfPayer(payer);
    const words = [...new Set(asked)].filter(
      (word) => own.has(word) && !common.has(word) && !PARTICLES.has(word),
    );
    const matches: Readonly<Record<PayerMatch, boolean>> = {
      payer_id: card.payer_id !== undefined && isId(payer, card.payer_id),
      phone: card.phone !== undefined && isPhone(payer, card.phone),
      payer_name: isSame(asked, payer.name),
      alias: payer.aliases.some((alias) => isSame(asked, alias)),
      words: words.length > 0,
    };
    const why = STRENGTH.filter((match) => matches[match]);
    return why.length === 0 ? [] : [{ payer_id: payer.id, name: payer.name, why, words }];
  });
  return candidates.toSorted(
    (one, other) => strengthOf(one) - strengthOf(other) || other.words.length - one.words.length,
  );
}

const PARTICLES: ReadonlySet<string> = new Set(['A', 'AND', 'FOR', 'OF', 'THE']);

const strengthOf = ({ why: [first = 'words'] }: PayerCandidate): number => STRENGTH.indexOf(first);

/** Capitals without accents; punctuation divides. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const wordsOfPayer = ({ name, aliases }: KnownPayer): ReadonlySet<string> =>
  new Set([name, ...aliases].flatMap(wordsOf));

/** The words of every payer, such as `Dental` where each is a dental plan: they distinguish none. */
function wordsOfAll(known: readonly KnownPayer[]): ReadonlySet<string> {
  const [first, ...others] = known.map(wordsOfPayer);
  return new Set([...(first ?? [])].filter((word) => others.every((words) => words.has(word))));
}

function isSame(asked: readonly string[], name: string): boolean {
  return asked.length > 0 && asked.join(' ') === wordsOf(name).join(' ');
}

function isId({ id, x12PayerId }: KnownPayer, asked: string): boolean {
  const plain = asked.trim().toUpperCase();
  return [id, x12PayerId].some((own) => own?.toUpperCase() === plain);
}

/** A number as written, without the country code of North America: a card leaves it out. */
function isPhone({ phoneNumber }: KnownPayer, asked: string): boolean {
  const own = digitsOf(phoneNumber ?? '');
  return own !== '' && own === digitsOf(asked);
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
