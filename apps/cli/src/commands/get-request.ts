import { ForbiddenError, type RestClient } from '@insurance-verification/client';
import type { Delivery, RequestModel } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing, SUBJECTS } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { requestFields } from './describe-request.ts';

/** `iv requests get`: the current state of one request, and how its delivery fails where it does. */
export function addGetRequest(requests: Command): void {
  withExample(requests.command('get'), 'iv requests get req_…')
    .description('show the current state of one request, and why its delivery fails')
    .argument('<request_id>', SUBJECTS.request_id.about)
    .action(async (id: string, _options: object, typed: Command) => {
      const { client, terminal } = await connect(typed);
      const request = await nameMissing('request_id', id, client.requests.get({ request_id: id }));
      const lines = terminal.json ? [] : requestFields(request, await deliveryFields(client, request));
      terminal.answer(request, lines);
    });
}

type Field = readonly [name: string, value: string];

/** Says why the delivery of the latest result fails; nothing where it is on its way, taken or not begun. */
async function deliveryFields(client: RestClient, { request_id: id, state }: RequestModel): Promise<Field[]> {
  if (id === null || state === 'pending') return [];
  try {
    const { items } = await client.requests.deliveries({ request_id: id });
    const latest = items.at(-1);
    return latest ? failureFields(latest) : [];
  } catch (err) {
    // A verifier's key reads the request it works on, and no delivery.
    if (err instanceof ForbiddenError)
      return [['delivery', 'not shown: needs a key with the scope requests or operate']];
    throw err;
  }
}

function failureFields({ status, attempts, next_attempt_at: next, paused_since: since }: Delivery): Field[] {
  const last = attempts.at(-1);
  if (last === undefined || last.outcome === 'succeeded') return [];
  const code = last.status_code === null ? '' : ` (${last.status_code})`;
  const why: Field = ['why', `${last.outcome}${code}, attempt ${last.number} at ${last.at}`];
  if (status === 'exhausted')
    return [['delivery', 'given up'], why, ['next_try', 'none; send it again: iv deliveries redeliver']];
  if (status !== 'pending') return [];
  const paused = since === null ? '' : `, its receiver is paused since ${since}`;
  return [['delivery', 'failing'], why, ['next_try', `${next ?? 'under way'}${paused}`]];
}
