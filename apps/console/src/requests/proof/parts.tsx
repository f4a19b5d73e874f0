import type { Outputs } from '../../api/api.ts';
import { exactTime } from '../../look/clock.ts';
import { FactList } from '../../look/fact-list.tsx';
import layoutCss from '../../look/layout.module.css';
import { useZone } from '../../look/time.tsx';
import { CHANNELS, DELIVERIES } from '../../words/request-words.ts';
import { asSentence, decidedBy, verifierOf } from '../../words/verifier-words.ts';

export type Proof = Outputs['requests']['proof'];

/** The patient as the clinic named them; masked before somebody asks for them. */
export function AboutPart({
  patient,
}: {
  readonly patient: NonNullable<Proof['result']>['request']['input']['patient_info'] | null;
}) {
  const masked = (name: string) => (
    <span key={name} className={layoutCss.quiet}>
      <span aria-hidden="true">••••••••</span> not shown
    </span>
  );
  return (
    <FactList
      facts={
        patient
          ? [
              ['Name', patient.name],
              ['Born', patient.dob],
              ['Member id', patient.subscriber_id],
              ['Address', patient.address],
            ]
          : ['Name', 'Born', 'Member id'].map((name) => [name, masked(name)])
      }
    />
  );
}

/** The payer, the day, and who asked. */
export function AskedPart({ proof }: { readonly proof: Proof }) {
  const { provider_info: provider } = proof;
  return (
    <FactList
      facts={[
        ['Payer', proof.payer],
        ['For the day', proof.service_date ?? 'none named: as of the answer'],
        ['Procedures', proof.cpt_code_coverage.join(', ') || 'none named'],
        ['Provider', provider.name],
        ['NPI', provider.npi],
        ['TIN', provider.tin],
        ['Organization', provider.organization_name],
        ['Asked', <Stamp key="asked" at={proof.received_timestamp} />],
        ['Asked by', proof.account_name],
      ]}
    />
  );
}

interface FoundPartProps {
  readonly proof: Proof;
  /** With what it quotes, once the patient is shown. */
  readonly attempt: Proof['attempt'];
}

/** Who asked the payer, when and how, and whose words were noted; then who corrected it, and who applied it. */
export function FoundPart({ proof, attempt }: FoundPartProps) {
  const { versions } = proof;
  const record = versions.at(-1)?.verification;
  const corrected = versions.flatMap(({ version, verification, correction }) =>
    correction && verification ? (
      <li key={version}>
        by {verifierOf(verification)} <Stamp at={correction.corrected_at} />
        {correction.reason !== null && `: ${asSentence(correction.reason)}`}{' '}
        <span className={layoutCss.quiet}>(result {version})</span>
      </li>
    ) : (
      []
    ),
  );
  const applied = versions
    .filter(({ held_id: heldId }) => heldId !== null)
    .map((version) => (
      <li key={version.version}>
        by {decidedBy(version)} <Stamp at={version.applied_at} />{' '}
        <span className={layoutCss.quiet}>(result {version.version})</span>
      </li>
    ));
  if (!record) return <p>No verifier gave this result: the request was closed, or its time was over.</p>;
  return (
    <FactList
      facts={[
        ['Verified by', verifierOf(record)],
        ['Begun', <Stamp key="begun" at={record.started_at} />],
        ['Ended', <Stamp key="ended" at={record.ended_at} />],
        ['Channel', record.channel && CHANNELS[record.channel]],
        ['Reference', record.reference],
        ['Payer’s representative', record.representative ?? sourcesOf(attempt).join(', ')],
        [
          'Words',
          attempt && attempt.provenance.length > 0 && (
            <ul key="words">
              {attempt.provenance.map(({ field, source, quote }) => (
                <li key={`${field}${source}`}>
                  {source}
                  {quote ? (
                    <>
                      : <q>{quote}</q>
                    </>
                  ) : null}{' '}
                  <span className={layoutCss.quiet}>({field.split('/').at(-1)?.replaceAll('_', ' ')})</span>
                </li>
              ))}
            </ul>
          ),
        ],
        ['Corrected', corrected.length > 0 && <ul key="corrected">{corrected}</ul>],
        ['Applied', applied.length > 0 && <ul key="applied">{applied}</ul>],
      ]}
    />
  );
}

/** The people whose words were noted; a source that is a channel names no person. */
function sourcesOf(attempt: Proof['attempt']): string[] {
  const sources = new Set((attempt?.provenance ?? []).map(({ source }) => source));
  return [...sources].filter((source) => !(source in CHANNELS));
}

interface RecordPartProps {
  readonly proof: Proof;
  readonly readAt: string;
  readonly readBy: string | null | undefined;
}

/** What others can check: the id, the versions, the receipt, the digest and the seal. */
export function RecordPart({ proof, readAt, readBy }: RecordPartProps) {
  const { delivery, seal } = proof;
  const { accepted_at: acceptedAt } = delivery;
  return (
    <FactList
      facts={[
        ['Request', <code key="request">{proof.request_id}</code>],
        [
          'Results',
          <ul key="versions">
            {proof.versions.map(({ version, applied_at: at }) => (
              <li key={version}>
                {version}, accepted <Stamp at={at} />
                {version === proof.version && proof.versions.length > 1 && ', current'}
              </li>
            ))}
          </ul>,
        ],
        [
          'Delivery',
          acceptedAt === null ? (
            `not taken: ${DELIVERIES[delivery.status].word.toLowerCase()}`
          ) : (
            <span key="taken">
              taken by the receiver <Stamp at={acceptedAt} /> with HTTP {delivery.status_code}
            </span>
          ),
        ],
        ['Message', <code key="message">{delivery.delivery_id}</code>],
        [
          'SHA-256',
          <span key="digest">
            <code>{proof.digest}</code> <span className={layoutCss.quiet}>of the message’s body</span>
          </span>,
        ],
        [
          'Audit',
          seal === null ? (
            'The entry was archived with its month'
          ) : seal.seal === null ? (
            'Not sealed yet'
          ) : (
            <span key="seal">
              Seal {seal.seal}
              {seal.sealed_at && (
                <>
                  , <Stamp at={seal.sealed_at} />
                </>
              )}
            </span>
          ),
        ],
        [
          'Read',
          <span key="read">
            <Stamp at={readAt} />
            {readBy && `, by ${readBy}`}
          </span>,
        ],
      ]}
    />
  );
}

/** A time with its year and its zone, since paper has no other context. */
export function Stamp({ at }: { readonly at: string }) {
  const { zone } = useZone();
  return <time dateTime={at}>{exactTime(at, zone)}</time>;
}
