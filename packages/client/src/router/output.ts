import type {
  ApplyHeldOutput,
  CompareHeldOutput,
  DismissedHeldOutputs,
  DismissHeldOutput,
  DismissHeldOutputs,
  HeldComparison,
  HeldOutputDetail,
  HeldOutputList,
  ListHeldOutputs,
  OutputReceipt,
  PayerNames,
  Schemas,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

interface HeldOutputRef {
  held_id: string;
}

/** Results, and those that wait for an operator. */
export interface OutputProcedures<P extends PayerNames> {
  verificationOutput: {
    /** Submits a result. It is always accepted; only a key with scope `verify` learns its disposition. */
    submit: Mutation<z.input<Schemas<P>['ResponseModel']>, OutputReceipt>;
  };
  heldOutputs: {
    /** The outputs awaiting an operator, of one reason or of all, newest first. */
    list: Query<z.input<typeof ListHeldOutputs>, HeldOutputList>;
    /** One held output with its body. 404 `not_found`. */
    get: Query<HeldOutputRef, HeldOutputDetail<P>>;
    /** A held output beside what was asked and what stands, with what differs. 404 `not_found`. */
    compare: Query<HeldOutputRef & CompareHeldOutput, HeldComparison<P>>;
    /** Applies a held output, to its own request or to a named one. 409 `held_output_settled`. */
    apply: Mutation<HeldOutputRef & ApplyHeldOutput, OutputReceipt>;
    /** Settles a held output without applying it. 409 `held_output_settled`. */
    dismiss: Mutation<HeldOutputRef & DismissHeldOutput, { status: 'dismissed' }>;
    /** Dismisses all held outputs of a reason, up to a limit. Not retried: a second call may dismiss more. */
    dismissMany: Mutation<z.input<typeof DismissHeldOutputs>, DismissedHeldOutputs>;
  };
}
