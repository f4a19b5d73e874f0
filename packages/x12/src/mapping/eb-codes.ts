import type { EligibilityStatus } from '@insurance-verification/schema';

/** EB01 "active, pending". */
export const PENDING = '5';

/** EB01 "inactive" while the payer still looks into it. */
export const INACTIVE_PENDING: ReadonlySet<string> = new Set(['7', '8']);

/** EB01 "active, capitated to the primary care provider". */
export const CAPITATED = '4';

/** EB01 "non-covered". */
export const NON_COVERED = 'I';

/** EB01 "exclusions". */
export const EXCLUDED = 'E';

/** EB01 "other or additional payer". */
export const OTHER_PAYER = 'R';

/** EB03, the service type of the whole plan. */
export const WHOLE_PLAN = '30';

/** The status of an EB01: null for codes that refer elsewhere, undefined for codes without a status. */
export function statusOf(code: string): EligibilityStatus | null | undefined {
  switch (code) {
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
      return 'Active';
    case '6':
    case '7':
    case '8':
      return 'Inactive';
    case 'U':
    case 'V':
    case 'W':
      return null;
    default:
      return undefined;
  }
}
