import * as z from 'zod';
import { list } from '../field/list.ts';
import { model } from '../model.ts';

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
