import { batchFields } from '../batch/batch-fields.ts';
import { addBatchResults } from '../batch/batch-results.ts';
import { addCreateBatch } from '../batch/create-batch.ts';
import { command } from '../command/command.ts';

/** `iv batch …` */
export const batchCommands = [
  addCreateBatch,
  command('get', 'batches.get', {
    example: 'iv batch get bat_…',
    about: 'show where the rows of a batch are',
    of: 'batch_id',
    blocks: batchFields,
  }),
  command('list', 'batches.list', {
    example: 'iv batch list --limit 5',
    about: 'list batches, newest first',
    columns: [
      'batch_id',
      'state',
      'label',
      ['received', ({ counters }) => counters.received],
      ['rejected', ({ counters }) => counters.rejected],
      ['answered', ({ counters }) => counters.answered],
      ['received at', 'received_at'],
      ['ended at', 'ended_at'],
    ],
    none: 'No batches.',
  }),
  addBatchResults,
  command('cancel', 'batches.cancel', {
    example: 'iv batch cancel bat_…',
    about: 'close the rows that wait; what a verifier works on is finished',
    of: 'batch_id',
    blocks: batchFields,
  }),
  command('template', 'batches.template', {
    example: 'iv batch template > visits.csv',
    about: 'print a CSV file to begin with: the header row, and a row of the sandbox',
    blocks: ({ csv }) => [csv.trimEnd()],
  }),
];
