import type { Outputs } from '../../api/api.ts';
import { FactList } from '../../look/fact-list.tsx';
import { dayInWords } from '../../look/form/read-date.ts';
import { Named } from '../../look/table/named.tsx';
import { Time } from '../../look/time/time.tsx';
import { Needed } from '../request-table.tsx';

interface AskedPartProps {
  readonly view: Outputs['requests']['view'];
  /** The whole callback address, once patient data is shown: its path may name the patient. */
  readonly callbackUrl: string | undefined;
}

/** The request without its patient data. */
export function AskedPart({ view, callbackUrl }: AskedPartProps) {
  const { provider_info: provider } = view;
  return (
    <FactList
      facts={[
        ['Payer', view.payer],
        ['Provider', provider?.name],
        ['NPI', provider?.npi],
        ['TIN', provider?.tin],
        ['Organization', provider?.organization_name],
        ['Codes', view.cpt_code_coverage.join(', ')],
        ['For the day', view.service_date && dayInWords(view.service_date)],
        ['Needed by', view.needed_by && <NeededBy key="needed" view={view} />],
        ['Goes to', callbackUrl ?? view.callback_host],
        ['Account', <Named key="account" id={view.account_id} name={view.account_name} />],
      ]}
    />
  );
}

function NeededBy({ view }: Pick<AskedPartProps, 'view'>) {
  return (
    <>
      {view.needed_by && <Time at={view.needed_by} />} <Needed request={view} />
    </>
  );
}
