import {
  acceptOutputs,
  acceptOutput,
  type Courier,
  isDatabaseUnavailable,
  type Store,
  submitWork,
  submitWorks,
} from '@insurance-verification/store';
import type { ResultWriter } from '../procedure/context/result-writer.ts';
import { groupCommit } from '../queue/group-commit.ts';

/** Bytes above which a result is written by itself: 64 of the longest in one statement would be half a gigabyte. */
const SHARED_BYTES_MAX = 65_536;

/**
 * Results that arrive together share a statement, and a burst of them waits for the next one and not for connections.
 * What would have to be held, or was not to be applied with the others, is decided by itself. While the database is away
 * the next group would wait as long in vain: all are told at once, within 2 seconds.
 * @param courier the delivery worker of this process, which takes over what it has a place for.
 */
export function createResultWriter(store: Store, courier?: Courier): ResultWriter {
  const failsAll = isDatabaseUnavailable;
  const acceptTogether = groupCommit({
    commit: (outputs: Parameters<typeof acceptOutputs>[1]) => acceptOutputs(store, outputs, courier),
    failsAll,
  });
  const submitTogether = groupCommit({
    commit: (submissions: Parameters<typeof submitWorks>[1]) => submitWorks(store, submissions, courier),
    failsAll,
  });
  /** In a transaction no delivery is handed over: the worker claims it. */
  const wakeIfApplied = <Answer extends { readonly kind: string }>(answer: Answer): Answer => {
    if (answer.kind === 'applied') courier?.wake();
    return answer;
  };
  return {
    acceptOutput: async (submitted) => {
      const { output, trusted, bearer } = submitted;
      const isCommon = trusted && !bearer && output.request.state !== 'pending';
      const mayShare = isCommon && isShort(output.insurance_data);
      const accepted = mayShare ? await acceptTogether(submitted) : null;
      return accepted ?? wakeIfApplied(await acceptOutput(store, submitted));
    },
    submitWork: async (submission) => {
      const { insuranceData, exchange } = submission;
      const mayShare = isShort(insuranceData) && (exchange?.answer?.length ?? 0) <= SHARED_BYTES_MAX;
      const handedIn = mayShare ? await submitTogether(submission) : null;
      return handedIn ?? wakeIfApplied(await submitWork(store, submission));
    },
  };
}

function isShort(insuranceData: unknown): boolean {
  return JSON.stringify(insuranceData).length <= SHARED_BYTES_MAX;
}
