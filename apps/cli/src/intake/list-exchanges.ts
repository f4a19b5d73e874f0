import { escapeHidden, type X12Exchange } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

/** `iv requests exchanges` */
export function addListExchanges(requests: Command): void {
  withExample(requests.command('exchanges'), 'iv requests exchanges req_…')
    .description('show what payers were asked for a request over X12, and what they answered')
    .argument('<request_id>', 'the id the service issued')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.requests.exchanges({ request_id: requestId });
      const answer = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      terminal.answer(
        answer,
        answer.items.flatMap((exchange, index) => (index === 0 ? lines(exchange) : ['', ...lines(exchange)])),
      );
      if (!terminal.json && answer.items.length === 0)
        terminal.say('No exchanges: no payer was asked over X12 for this request.');
    });
}

function lines(exchange: X12Exchange): string[] {
  return [
    ...fields([
      ['control_number', exchange.control_number],
      ['payer_id', exchange.payer_id],
      ['started', exchange.started_at],
      ['ms', exchange.duration_ms],
      ['http', exchange.status_code],
      ['error_reason', exchange.error_reason],
      ['fixed_by', exchange.fixed_by],
      ['explanation', exchange.explanation],
      ['payer_codes', exchange.payer_codes.join(', ')],
    ]),
    'inquiry',
    ...segments(exchange.inquiry),
    'answer',
    ...(exchange.answer === null ? ['  nothing came'] : segments(exchange.answer)),
  ];
}

/** The offset of the segment terminator in the ISA. */
const TERMINATOR_PLACE = 105;

/** One line per segment for reading; `--json` keeps the text unchanged. */
function segments(text: string): string[] {
  const terminator = text.startsWith('ISA') ? text.charAt(TERMINATOR_PLACE) : '';
  const parts = terminator === '' ? [text] : text.split(terminator);
  return parts
    .map((part, index) => (index === parts.length - 1 ? part : part + terminator).trim())
    .filter((part) => part !== '')
    .map((part) => `  ${escapeHidden(part)}`);
}
