import type { Outputs } from '../api/api.ts';
import { Table } from '../look/table/table.tsx';
import css from './held.module.css';

type Value = Outputs['heldOutputs']['compare']['values'][number];
type Difference = Value['asked_difference'];

/** A sign and a word: the colour says nothing that they do not. */
const DIFFERENCES: Readonly<Record<Exclude<Difference, 'none'>, readonly [string, string]>> = {
  form: ['≈', 'written differently'],
  swapped: ['⇄', 'swapped'],
  near: ['≈', 'nearly the same'],
  added: ['+', 'only offered'],
  missing: ['−', 'not offered'],
  different: ['≠', 'different'],
};

const isEqual = (value: Value) => value.asked_difference === 'none' && value.standing_difference === 'none';

/** What differs, and below it, folded, what agrees. */
export function ComparedValues({
  values,
  hasRequest,
}: {
  readonly values: readonly Value[];
  readonly hasRequest: boolean;
}) {
  const differing = values.filter((value) => !isEqual(value));
  const equal = values.filter(isEqual);
  return (
    <div className={css.compared}>
      {differing.length > 0 && <Rows caption="What differs" values={differing} />}
      {equal.length > 0 && (
        <details open={differing.length === 0}>
          <summary>{hasRequest ? `${equal.length} values agree` : 'What was handed in'}</summary>
          <Rows caption="What agrees" values={equal} />
        </details>
      )}
    </div>
  );
}

function Rows({ caption, values }: { readonly caption: string; readonly values: readonly Value[] }) {
  return (
    <Table caption={caption} columns={['Value', 'Asked', 'Standing', 'Offered']}>
      {values.map((value) => (
        <tr key={value.field}>
          <th scope="row">{value.name}</th>
          <td>{value.asked ?? '–'}</td>
          <td>{value.standing ?? '–'}</td>
          <td className={css.offered}>
            {value.offered ?? '–'}
            <Told difference={value.asked_difference} from="asked" />
            <Told difference={value.standing_difference} from="standing" />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Told({ difference, from }: { readonly difference: Difference; readonly from: string }) {
  if (difference === 'none') return null;
  const [sign, word] = DIFFERENCES[difference];
  return (
    <span className={css.differs}>
      {sign} {from}: {word}
    </span>
  );
}
