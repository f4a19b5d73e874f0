import { PayerList } from '../intake/payer-list.ts';
import { operation } from './operation.ts';

/** The operations of `payers`. */
export const payersOperations = () => ({
  list: operation('payers.list', {
    get: '/payers',
    scopes: ['requests', 'operate', 'verify'],
    audience: ['provider', 'verifier', 'operator'],
    tag: 'Intake',
    summary: 'List the payers',
    description: 'Lists the four payers that requests may name, with their ids.',
    limit: 'reads',
    output: PayerList,
    answers: { payers: { items: [{ payer_id: 'northwind', name: 'Northwind Health' }] } },
  }),
});
