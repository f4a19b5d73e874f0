import { DeliveryStatus, type DeliverySummary } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readFullPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';
import { addFilterOptions, type FilterOptions, filterOf } from './filter-options.ts';
import { listRequestDeliveries } from './list-request-deliveries.ts';

interface Options extends PageOptions, FilterOptions {
  readonly status?: DeliveryStatus;
}

/** `iv deliveries list`, of one request with every attempt, or of many with the last. */
export function addListDeliveries(deliveries: Command): void {
  const list = withExample(deliveries.command('list'), 'iv deliveries list --status exhausted');
  addPageOptions(addFilterOptions(list))
    .description("list deliveries, newest first, each with its last attempt; a request's, with every attempt")
    .argument('[request_id]', 'only those of this request, with every attempt')
    .addOption(
      new Option('--status <status>', 'only those that stand like this').choices(DeliveryStatus.options),
    )
    .action(async (requestId: string | undefined, options: Options, command: Command) => {
      const connection = await connect(command);
      if (requestId !== undefined) return listRequestDeliveries(connection, requestId);
      const { client, terminal } = connection;
      const { status, since } = options;
      const filter = { ...filterOf(options), status, since };
      const page = await readFullPage((own) => client.deliveries.list({ ...filter, ...own }), options);
      answerPage(terminal, page, { lines, none: 'No deliveries.' });
      return undefined;
    });
}

function lines(items: readonly DeliverySummary[]): Block[] {
  return table(
    [
      'DELIVERY_ID',
      'STATUS',
      'ATTEMPTS',
      'LAST_OUTCOME',
      'HTTP',
      'HOST',
      'REQUEST_ID',
      'ACCOUNT_ID',
      'REASON',
      'NEXT_ATTEMPT',
      'ACCEPTED',
    ],
    items.map((item) => [
      item.delivery_id,
      item.status,
      item.attempt_count,
      item.last_outcome,
      item.last_status_code,
      item.host,
      item.request_id,
      item.account_id,
      item.reason,
      item.next_attempt_at,
      item.accepted_at,
    ]),
  );
}
