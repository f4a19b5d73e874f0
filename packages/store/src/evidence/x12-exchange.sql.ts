import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `keepX12Exchanges`. Nothing is stored for an erased request: the lock, which the foreign key takes too, waits
 * for an erasure under way. Codes are JSON, since an array of arrays must be rectangular.
 */
export const keepX12ExchangesFunction = databaseFunction(`
  create function keep_x12_exchanges(
    request_ids text[], control_numbers integer[], account_ids text[], payer_ids text[], started_ats timestamptz[],
    durations_ms integer[], status_codes integer[], error_reasons text[], code_lists jsonb[], inquiries bytea[],
    answers bytea[], inquiry_numbers integer[], dental_counts jsonb[], medical_counts jsonb[]
  ) returns void language plpgsql as $$
  begin
    insert into x12_exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, status_code,
      error_reason, payer_codes, inquiry, answer, inquiry_number, dental_codes, medical_codes)
    select request_id, control_number, account_id, payer_id, started_at, duration_ms, status_code, error_reason,
      array(select jsonb_array_elements_text(codes)), inquiry, answer, inquiry_number,
      case when dental is not null then array(select jsonb_array_elements_text(dental)::smallint) end,
      case when medical is not null then array(select jsonb_array_elements_text(medical)::smallint) end
    from unnest(request_ids, control_numbers, account_ids, payer_ids, started_ats, durations_ms, status_codes,
        error_reasons, code_lists, inquiries, answers, inquiry_numbers, dental_counts, medical_counts)
      as exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, status_code,
        error_reason, codes, inquiry, answer, inquiry_number, dental, medical)
    where request_id = any (array(
      select id::text from request where id = any (request_ids) and erased_at is null order by id for key share))
    on conflict (request_id, control_number) do nothing;
  end $$`);
