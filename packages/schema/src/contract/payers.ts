import * as z from 'zod';
import { list } from '../field/list.ts';
import { enumeration, model } from '../model.ts';
import { operation } from './operation.ts';

/** A payer that requests may name (`payers.list`). */
export const ListedPayer = model('ListedPayer', 'A payer that requests may name.', {
  payer_id: z.string().meta({ description: 'Its id, which a change of name leaves as it is.' }),
  name: z.string().meta({ description: 'Its name, as requests name it.' }),
  asks_gender: z.boolean().optional().meta({
    description: "True: its API takes the patient's gender, which a request gives in the header `Gender`.",
  }),
});
export type ListedPayer = z.infer<typeof ListedPayer>;

/** The configured payers. */
export const PayerList = model('PayerList', 'The payers that requests may name.', {
  items: list(ListedPayer).meta({ description: 'The payers, in the order of the configuration.' }),
});
export type PayerList = z.infer<typeof PayerList>;

/** The payer as a patient's card names it. */
export const ResolvePayer = model('ResolvePayer', "The payer as a patient's card names it.", {
  text: z.string().min(1).max(200).optional().meta({ description: "The payer's or the plan's name." }),
  payer_id: z.string().min(1).max(80).optional().meta({ description: 'The electronic payer id.' }),
  phone: z.string().min(1).max(40).optional().meta({ description: "A phone number of the payer's." }),
});
export type ResolvePayer = z.infer<typeof ResolvePayer>;

/** Why a payer is a candidate. */
export const PayerMatch = enumeration(
  'PayerMatch',
  'Why a payer is a candidate: its electronic payer id, its phone number, its name, one of its aliases, or words of its own.',
  ['payer_id', 'phone', 'payer_name', 'alias', 'words'],
);
export type PayerMatch = z.infer<typeof PayerMatch>;

/** A payer that a card may mean. */
export const PayerCandidate = model('PayerCandidate', 'A payer that a card may mean.', {
  ...ListedPayer.shape,
  why: list(PayerMatch).meta({ description: 'Every match, the strongest first; never empty.' }),
  words: list(z.string()).meta({
    description:
      'The words of `text` that its name or an alias has, in capitals; empty without a match of words.',
  }),
});
export type PayerCandidate = z.infer<typeof PayerCandidate>;

/** The payers that a card may mean (`payers.resolve`). */
export const PayerCandidateList = model('PayerCandidateList', 'The payers that a card may mean.', {
  items: list(PayerCandidate).meta({
    description: 'The strongest match first; empty if no configured payer matches.',
  }),
});
export type PayerCandidateList = z.infer<typeof PayerCandidateList>;

/** The operations of `payers`. */
export const payersOperations = () => ({
  list: operation('payers.list', {
    get: '/payers',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Intake',
    summary: 'List the payers',
    description: 'Lists the four payers that a request may name, with their ids.',
    limit: 'reads',
    output: PayerList,
    answers: { payers: { items: [{ payer_id: 'northwind', name: 'Northwind Health' }] } },
  }),

  resolve: operation('payers.resolve', {
    get: '/payers/resolve',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Intake',
    summary: 'Find the payer of a card',
    description:
      "Returns the configured payers that a patient's card may mean, each with the reason, the strongest match first. Show them to a person: a request names its payer exactly. Empty if none matches.",
    limit: 'reads',
    input: ResolvePayer,
    output: PayerCandidateList,
    example: { text: 'Northwind Health PPO', payer_id: '60054', phone: '+1 555 0100' },
    answers: {
      found: {
        items: [
          {
            payer_id: 'northwind',
            name: 'Northwind Health',
            why: ['payer_id', 'words'],
            words: ['NORTHWIND'],
          },
        ],
      },
      none: { items: [] },
    },
  }),
});
