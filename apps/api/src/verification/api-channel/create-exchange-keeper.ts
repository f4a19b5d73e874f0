import {
  isDatabaseUnavailable,
  keepX12Exchanges,
  type Store,
  type PlainX12Exchange,
} from '@insurance-verification/store';
import { groupCommit } from '../../queue/group-commit.ts';

/** Stores one exchange; resolves when it is durable. */
export type ExchangeKeeper = (exchange: PlainX12Exchange) => Promise<void>;

/** Bytes above which an answer is stored alone: 64 of the longest in one statement would be a quarter of a gigabyte. */
const SHARED_BYTES_MAX = 65_536;

/** Exchanges that end together share a statement. */
export function createExchangeKeeper(store: Store): ExchangeKeeper {
  const keepShared = groupCommit({
    commit: async (exchanges: readonly PlainX12Exchange[]) => {
      await keepX12Exchanges(store, exchanges);
      return exchanges.map(() => undefined);
    },
    failsAll: isDatabaseUnavailable,
  });
  return (exchange) =>
    (exchange.answer?.length ?? 0) > SHARED_BYTES_MAX
      ? keepX12Exchanges(store, [exchange])
      : keepShared(exchange);
}
