import type { VerificationSource } from '@insurance-verification/schema';
import type { Outputs } from '../api/api.ts';

type Version = Outputs['requests']['view']['versions'][number];
type VerificationRecord = NonNullable<Version['verification']>;

/** Who asked the payer: the name, where there is one. */
export const verifierOf = ({
  verified_by_name: name,
  verified_by: id,
  channel,
}: VerificationRecord): string =>
  name ?? id ?? (channel === 'api' ? 'the payer’s API' : 'a program without a key');

/** Who applied a held output. */
export const decidedBy = ({ applied_by_name: name, applied_by: id }: Version): string =>
  name ?? id ?? 'an operator';

const HOW: Readonly<Record<VerificationSource, string>> = {
  manual_web_portal: 'in the portal',
  manual_phone_call: 'by phone',
  agent_web_portal: 'in the portal, by an agent',
  agent_phone_call: 'by phone, by an agent',
  api: 'over X12',
};

/** A sentence about a result, around its time. */
export interface ResultLine {
  readonly before: string;
  readonly at: string;
  readonly after: string;
}

/** Who asked the payer, who corrected it and why, and who applied it: a sentence each, first to last. */
export function resultLines(versions: readonly Version[]): readonly ResultLine[] {
  return versions.flatMap((version, index) => {
    const { verification, correction, held_id: heldId } = version;
    const before = versions[index - 1]?.verification;
    const isNew =
      verification?.started_at !== before?.started_at || verification?.verified_by !== before?.verified_by;
    return [
      ...(verification && isNew ? [verifiedLine(version, verification)] : []),
      ...(correction && verification
        ? [
            {
              before: `Corrected by ${verifierOf(verification)}`,
              at: correction.corrected_at,
              after: correction.reason === null ? '.' : `: ${asSentence(correction.reason)}`,
            },
          ]
        : []),
      ...(heldId === null
        ? []
        : [{ before: `Applied by ${decidedBy(version)}`, at: version.applied_at, after: '.' }]),
    ];
  });
}

function verifiedLine({ outcome }: Version, record: VerificationRecord): ResultLine {
  const { channel, reference, representative, ended_at: at } = record;
  const details = [channel && HOW[channel], reference, representative && `with ${representative}`].filter(
    Boolean,
  );
  const did = outcome === 'complete' ? 'Verified by' : 'Could not verify: tried by';
  return {
    before: `${did} ${verifierOf(record)} at`,
    at,
    after: asSentence(details.map((detail) => `, ${detail}`).join('')),
  };
}

/** A text that ends as a sentence does. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
