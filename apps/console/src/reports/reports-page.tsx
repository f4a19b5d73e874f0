import * as z from 'zod';
import { FilterBar, type Filter } from '../filters/filter-bar.tsx';
import { Page } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { useZone } from '../look/time.tsx';
import { useMe } from '../session/use-me.ts';
import { AskedCodes } from './asked-codes.tsx';
import css from './reports.module.css';
import { AnswersPlot, InTimePlot, ReasonsPlot, RequestsPlot, TimesPlot } from './request-plots.tsx';
import { type Shown, SPANS } from './use-report.ts';
import { AttemptsPlot, DeliveriesPlot, HeldPlot, QueuePlot } from './work-plots.tsx';

const Filters = z.object({
  span: z.enum(['7d', '31d']).optional(),
  account: z.string().optional(),
});

const FIELDS: readonly Filter<keyof z.infer<typeof Filters>>[] = [
  {
    name: 'span',
    label: 'Time',
    none: SPANS['24h'].name,
    choices: (['7d', '31d'] as const).map((span) => [span, SPANS[span].name] as const),
  },
  { name: 'account', label: 'Account', kind: 'account' },
];

/** `/reports`: figures of the person's account, or for operators of all accounts. */
export function ReportsPage() {
  const [{ span: asked, account }, change] = useQueryModel(Filters);
  const { zone } = useZone();
  const me = useMe().data;
  const isOperator = me?.scopes.includes('operate') === true || me?.read_scopes.includes('operate') === true;
  const shown: Shown = { span: asked ?? '24h', zone, account };
  return (
    <Page
      title="Reports"
      filters={
        <FilterBar
          filters={isOperator ? FIELDS : FIELDS.filter(({ name }) => name !== 'account')}
          values={{ span: asked, account }}
          onChange={(changes) => change(changes as Partial<z.infer<typeof Filters>>)}
        />
      }
    >
      <div className={css.cards}>
        <RequestsPlot shown={shown} />
        <InTimePlot shown={shown} />
        <TimesPlot of="result_times" title="Time to result" shown={shown} />
        <QueuePlot shown={shown} />
        <AnswersPlot shown={shown} />
        <ReasonsPlot shown={shown} />
        <DeliveriesPlot shown={shown} />
        <AttemptsPlot shown={shown} />
        <TimesPlot of="handling_times" title="Handling time" shown={shown} />
        {isOperator && <HeldPlot shown={shown} />}
        {isOperator && <AskedCodes account={account} />}
      </div>
    </Page>
  );
}
