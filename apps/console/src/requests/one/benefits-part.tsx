import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import layoutCss from '../../look/layout.module.css';
import { Mark } from '../../look/mark.tsx';
import {
  type Benefit,
  type BenefitLine,
  type Coverage,
  detailText,
  groupsOf,
  kindText,
  serviceText,
  typeText,
  valueText,
} from './benefit-lines.ts';
import css from './benefits.module.css';

interface BenefitsPartProps {
  readonly view: Outputs['requests']['view'];
  /** Whether the patient is shown: the payer's words may be about them. */
  readonly isShown: boolean;
}

/** The payer's benefits next to the result, in the order of a front desk: what to collect, what to do first, limits, everything. */
export function BenefitsPart({ view, isShown }: BenefitsPartProps) {
  const [isAskedFor, setAskedFor] = useState(false);
  const requestId = view.request_id ?? '';
  const version = view.versions.at(-1)?.version;
  // By the version, not again with each change of the request: each reading is in the access log.
  const benefits = useQuery({
    queryKey: ['benefits', requestId, version],
    queryFn: ({ signal }) => api.requests.benefits.query({ request_id: requestId }, { signal }),
    enabled: version !== undefined && (isShown || isAskedFor),
  });
  if (version === undefined || view.coverages.length === 0) return null;
  return (
    <section className={layoutCss.part} aria-label="Benefits">
      <h2>Benefits</h2>
      {benefits.error && !benefits.data && (
        <p className={css.ask}>
          <span>The benefits could not be read.</span>
          <Button disabled={benefits.isFetching} onClick={() => void benefits.refetch()}>
            Read them again
          </Button>
        </p>
      )}
      {!benefits.data && !benefits.error && !isShown && (
        <p className={css.ask}>
          <Button disabled={benefits.isFetching} onClick={() => setAskedFor(true)}>
            Show the benefits
          </Button>
          <span className={layoutCss.quiet}>They may identify the patient. Viewing them is logged.</span>
        </p>
      )}
      {benefits.data && <SaidBenefits said={benefits.data} />}
    </section>
  );
}

/** The benefits of a result, coverage by coverage. */
export function SaidBenefits({ said }: { readonly said: Outputs['requests']['benefits'] }) {
  const withBenefits = said.coverages.filter(({ benefits }) => benefits.length > 0);
  if (withBenefits.length === 0) return <p className={layoutCss.quiet}>The result came without benefits.</p>;
  return (
    <>
      {withBenefits.map((coverage) => (
        <CoverageBenefits key={coverage.entry} coverage={coverage} day={said.service_date} />
      ))}
      <NetworkNote coverages={withBenefits} />
      {said.left_out > 0 && <p className={layoutCss.quiet}>{said.left_out} more rows are in the 271 only.</p>}
    </>
  );
}

/** What the asterisk of a line means, once for all of them. */
export function NetworkNote({ coverages }: { readonly coverages: readonly Coverage[] }) {
  const lines = coverages.flatMap(({ benefits }) => {
    const { collect, limits, refused } = groupsOf(benefits);
    return [...collect, ...limits, ...refused];
  });
  if (!lines.some(({ label }) => label.includes('*'))) return null;
  return <p className={layoutCss.quiet}>* The payer did not say in which network.</p>;
}

interface CoverageBenefitsProps {
  readonly coverage: Coverage;
  /** The day that was asked about; null where it is not known. */
  readonly day: string | null;
}

/** What the payer said of one coverage. */
export function CoverageBenefits({ coverage, day }: CoverageBenefitsProps) {
  const { benefits, eligibility_status: status } = coverage;
  const { outOfNetwork } = groupsOf(benefits);
  const beside = [
    coverage.plan_name,
    coverage.group_number && `group ${coverage.group_number}`,
    coverage.relationship && coverage.relationship !== 'self' && coverage.relationship.replaceAll('_', ' '),
    coverage.order && `${coverage.order} payer`,
  ].filter(Boolean);
  return (
    <article className={css.coverage}>
      <p className={css.head}>
        {status && <Mark tone={status === 'Active' ? 'good' : 'bad'}>{status}</Mark>}
        {day && <span>on {day}</span>}
        <span>{beside.join(' · ')}</span>
      </p>
      <CoverageSummary coverage={coverage} />
      {outOfNetwork.length > 0 && (
        <details>
          <summary>Out of network</summary>
          <Lines title={null} lines={outOfNetwork} />
        </details>
      )}
      <details>
        <summary>Everything the payer said ({benefits.length})</summary>
        <ol className={css.rows}>
          {benefits.map((benefit) => (
            <li key={benefit.benefit_id}>
              <Row benefit={benefit} />
            </li>
          ))}
        </ol>
      </details>
    </article>
  );
}

/** What a desk reads of a coverage first: what to collect in network, what to do before, limits, who else pays. */
export function CoverageSummary({ coverage: { benefits, unanswered } }: { readonly coverage: Coverage }) {
  const { collect, first, limits, refused, others } = groupsOf(benefits);
  const silent = unanswered.map(({ procedure, service_type: type }) => procedure ?? typeText(type ?? ''));
  return (
    <>
      <Lines title="What to collect, in network" lines={collect} />
      {first.length > 0 && (
        <div>
          <h3>Do first</h3>
          <p>An authorization is needed for {[...new Set(first.map(serviceText))].join('; ')}.</p>
        </div>
      )}
      <Lines title="Not covered" lines={refused} />
      <Lines title="Limits" lines={limits} />
      {silent.length > 0 && (
        <div>
          <h3>Not answered</h3>
          <p>{silent.join(', ')}</p>
        </div>
      )}
      {others.length > 0 && (
        <div>
          <h3>Who else</h3>
          {others.map((benefit) => (
            <Others key={benefit.benefit_id} benefit={benefit} />
          ))}
        </div>
      )}
    </>
  );
}

/** A list of benefits under its title; nothing where there are none. */
export function Lines({
  title,
  lines,
}: {
  readonly title: string | null;
  readonly lines: readonly BenefitLine[];
}) {
  if (lines.length === 0) return null;
  return (
    <div>
      {title !== null && <h3>{title}</h3>}
      <dl className={css.lines}>
        {lines.map(({ id, label, value, texts }) => (
          <div key={id}>
            <dt>
              {label}
              {texts.length > 0 && <small>{texts.join(' · ')}</small>}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Others({ benefit }: { readonly benefit: Benefit }) {
  const { related, references, texts } = benefit;
  return (
    <p>
      {kindText(benefit)}: {serviceText(benefit)}
      {related.map(({ role, name, id, phone }) => (
        <span key={`${role}${name}${id}`} className={css.party}>
          {[role.replaceAll('_', ' '), name, phone].filter(Boolean).join(', ')}
        </span>
      ))}
      {references.map(({ kind, value }) => (
        <span key={`${kind}${value}`} className={css.party}>
          {kind.replaceAll('_', ' ')} {value}
        </span>
      ))}
      {texts.map((text) => (
        <span key={text} className={css.party}>
          {text}
        </span>
      ))}
    </p>
  );
}

function Row({ benefit }: { readonly benefit: Benefit }) {
  const value = valueText(benefit);
  return (
    <>
      {kindText(benefit)}, {serviceText(benefit)}
      {value !== '' && <>: {value}</>}
      <small>{[detailText(benefit), ...benefit.texts].filter((part) => part !== '').join(' · ')}</small>
      {benefit.source.kind === 'verifier' && benefit.source.quote !== null && <q>{benefit.source.quote}</q>}
      {benefit.source.kind === 'x12' && <code>{benefit.source.segments.join(' ')}</code>}
    </>
  );
}
