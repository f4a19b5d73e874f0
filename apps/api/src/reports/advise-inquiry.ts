import type { CodeFigures, PayerAskedCodes } from '@insurance-verification/schema';
import { type InquirySettings, LEAN_INQUIRY } from '../config/payer-inquiry.ts';

/** Fewer codes show nothing. */
const ASKED_COUNT_MIN = 20;

/**
 * The setting of a payer's `inquiry` that its answers contradict. The first row that matches:
 *
 * | `procedures`, `together`      | the answers                                             | advice               |
 * |-------------------------------|---------------------------------------------------------|----------------------|
 * | `all`, `cdt`, `auto`; `many`  | a tenth of the codes or more is rejected, some answered | `together` `one`     |
 * | `all`                         | no CPT or HCPCS code is answered, CDT codes are         | `procedures` `cdt`   |
 * | `all`, `cdt`                  | no code is answered                                     | `procedures` `none`  |
 * | `auto`                        | no CPT or HCPCS code is answered, and some are rejected | `procedures` `cdt`   |
 * | `auto`                        | no code is answered, and some are rejected              | `procedures` `none`  |
 *
 * A payer that passes over codes is asked for twenty in a month by `auto`: that is right as it is.
 */
export function adviseInquiry(
  { dental, medical }: Readonly<Record<'dental' | 'medical', CodeFigures>>,
  { procedures, together }: InquirySettings = LEAN_INQUIRY,
): Pick<PayerAskedCodes, 'setting' | 'advice'> {
  const asked = dental.asked_count + medical.asked_count;
  const answered = dental.answered_count + medical.answered_count;
  const refused = dental.refused_count + medical.refused_count;
  const isSilent = ({ asked_count: count, answered_count: spoken }: CodeFigures) =>
    count >= ASKED_COUNT_MIN && spoken === 0;
  const isShown = procedures !== 'auto' || refused > 0;
  if (asked < ASKED_COUNT_MIN || procedures === 'none' || !isShown) return NOTHING;
  if (together === 'many' && answered > 0 && refused * 10 >= asked && !isSilent(medical))
    return {
      setting: 'together',
      advice: `It rejected ${text(refused)} of ${text(asked)} codes: set \`together\` to \`one\`.`,
    };
  if (answered === 0)
    return {
      setting: 'procedures',
      advice: `It answered none of ${text(asked)} codes: set \`procedures\` to \`none\`.`,
    };
  if (procedures !== 'cdt' && isSilent(medical) && dental.answered_count > 0)
    return {
      setting: 'procedures',
      advice: `It answered none of ${text(medical.asked_count)} CPT and HCPCS codes: set \`procedures\` to \`cdt\`.`,
    };
  return NOTHING;
}

const NOTHING = { setting: null, advice: null };

const text = (count: number): string => count.toLocaleString('en-US');
