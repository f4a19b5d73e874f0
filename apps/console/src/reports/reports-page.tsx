import * as z from 'zod';
import { Field, Select, TextInput } from '../look/form/field.tsx';
import { Page } from '../look/page/page.tsx';
import tableCss from '../look/table/table.module.css';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { useZone } from '../look/time/zone.ts';
import { useMe } from '../session/use-me.ts';
import { AnswersPlot } from './plots/answers-plot.tsx';
import { DeliveriesPlot } from './plots/deliveries-plot.tsx';
import { HeldPlot } from './plots/held-plot.tsx';
import { QueuePlot } from './plots/queue-plot.tsx';
import { ReasonsPlot } from './plots/reasons-plot.tsx';
import { RequestsPlot } from './plots/requests-plot.tsx';
import { TimesPlot } from './plots/times-plot.tsx';
import css from './reports.module.css';
import { type Shown, SPANS } from './use-report.ts';

const Filters = z.object({
  span: z.enum(['24h', '7d', '31d']).optional(),
  account: z.string().optional(),
});

/** `/reports`: figures of the person's account, or for operators of all accounts. */
export function ReportsPage() {
  const [{ span = '24h', account }, change] = useQueryModel(Filters);
  const { zone } = useZone();
  const me = useMe().data;
  const isOperator = me?.scopes.includes('operate') === true || me?.read_scopes.includes('operate') === true;
  const shown: Shown = { span, zone, account };
  return (
    <Page title="Reports">
      <div className={tableCss.filters}>
        <Field label="Time" htmlFor="span">
          <Select
            id="span"
            value={span}
            onChange={(event) => change({ span: Filters.shape.span.parse(event.target.value) })}
          >
            {Object.entries(SPANS).map(([value, { name }]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        {isOperator && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const typed = new FormData(event.currentTarget).get('account');
              change({
                account: typeof typed === 'string' && typed.trim() !== '' ? typed.trim() : undefined,
              });
            }}
          >
            <Field label="Account id" htmlFor="account">
              <TextInput
                id="account"
                name="account"
                key={account ?? ''}
                defaultValue={account ?? ''}
                placeholder="All accounts"
              />
            </Field>
          </form>
        )}
      </div>
      <div className={css.cards}>
        <RequestsPlot shown={shown} />
        <TimesPlot of="result" title="Time to result" shown={shown} />
        <QueuePlot account={account} />
        <AnswersPlot shown={shown} />
        <ReasonsPlot shown={shown} />
        <DeliveriesPlot shown={shown} />
        <TimesPlot of="handling" title="Handling time" shown={shown} />
        {isOperator && <HeldPlot shown={shown} />}
      </div>
    </Page>
  );
}
