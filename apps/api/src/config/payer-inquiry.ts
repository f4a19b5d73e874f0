import { type PayersFile, SHEETS } from '@insurance-verification/schema';

/** The fields of a payer's inquiries over X12: `inquiry` of the payers file. */
export interface InquirySettings {
  /** EQ01; null: dental care for a request that asks for dental codes only, else the plan. */
  readonly serviceTypes: readonly string[] | null;
  /** `one`: one service type an inquiry, and codes in one of their own. */
  readonly together: 'one' | 'many';
  readonly procedures: 'auto' | 'none' | 'cdt' | 'all';
  readonly address: 'never' | 'when_ambiguous';
  readonly hasTin: boolean;
  readonly hasGender: boolean;
}

/** The settings of a payer without any. */
export const LEAN_INQUIRY: InquirySettings = {
  serviceTypes: null,
  together: 'one',
  procedures: 'auto',
  address: 'when_ambiguous',
  hasTin: false,
  hasGender: false,
};

/** The settings of a payer, with what the file leaves out filled in. */
export function inquirySettings({
  inquiry = {},
  sheet,
}: Pick<PayersFile['payers'][number], 'inquiry' | 'sheet'>): InquirySettings {
  return {
    serviceTypes: inquiry.service_types ?? (isDental(sheet) ? ['35'] : LEAN_INQUIRY.serviceTypes),
    together: inquiry.together ?? LEAN_INQUIRY.together,
    procedures: inquiry.procedures ?? LEAN_INQUIRY.procedures,
    address: inquiry.address ?? LEAN_INQUIRY.address,
    hasTin: inquiry.tin === 'yes',
    hasGender: inquiry.gender === 'yes',
  };
}

/** A sheet that is named in the file has the rows of that name. */
function isDental(sheet: PayersFile['payers'][number]['sheet']): boolean {
  const { dental } = SHEETS;
  return sheet?.length === dental.length && sheet.every((row, index) => row === dental[index]);
}
