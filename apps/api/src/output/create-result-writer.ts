import {
  acceptOutputs,
  acceptOutput,
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
 */
export function createResultWriter(store: Store): ResultWriter {
  const failsAll = isDatabaseUnavailable;
  const acceptTogether = groupCommit({
    commit: (outputs: Parameters<typeof acceptOutputs>[1]) => acceptOutputs(store, outputs),
    failsAll,
  });
  const submitTogether = groupCommit({
    commit: (submissions: Parameters<typeof submitWorks>[1]) => submitWorks(store, submissions),
    failsAll,
  });
  return {
    acceptOutput: async (submitted) => {
      const { output, trusted, bearer } = submitted;
      const isCommon = trusted && !bearer && output.request.state !== 'pending';
      const mayShare = isCommon && isShort(output.insurance_data);
      return (mayShare ? await acceptTogether(submitted) : null) ?? acceptOutput(store, submitted);
    },
    submitWork: async (submission) => {
      const { insuranceData, exchange } = submission;
      const mayShare = isShort(insuranceData) && (exchange?.answer?.length ?? 0) <= SHARED_BYTES_MAX;
      return (mayShare ? await submitTogether(submission) : null) ?? submitWork(store, submission);
    },
  };
}

function isShort(insuranceData: unknown): boolean {
  return JSON.stringify(insuranceData).length <= SHARED_BYTES_MAX;
}
