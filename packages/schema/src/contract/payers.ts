import * as z from 'zod';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { operation } from './operation.ts';

/** A payer that requests may name (`payers.list`). */
export const ListedPayer = model('ListedPayer', 'A payer that requests may name.', {
  payer_id: z.string().meta({ description: 'Its id, which a change of name leaves as it is.' }),
  name: z.string().meta({ description: 'Its name, as requests name it.' }),
});
/** {@link ListedPayer} as a type. */
export type ListedPayer = z.infer<typeof ListedPayer>;

/** The configured payers. */
export const PayerList = model('PayerList', 'The payers that requests may name.', {
  items: list(ListedPayer).meta({ description: 'The payers, in the order of the configuration.' }),
});
/** {@link PayerList} as a type. */
export type PayerList = z.infer<typeof PayerList>;

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
});
