import type { TestService } from '../a-service.ts';
import { rows } from '../rows.ts';

interface Line {
  key_id: string | null;
  account_id: string | null;
  operation: string;
  /** The requests of a list; null for none. */
  request_id: string | string[] | null;
}

const lines = ({ databaseUrl }: TestService) =>
  rows<Line>(
    databaseUrl,
    `select key_id, account_id, operation, coalesce(to_jsonb(request_id), to_jsonb(request_ids)) as request_id
     from access_log order by id`,
  );

/** The access-log lines of a call of a service. */
export const linesIn =
  (service: () => TestService) =>
  async (work: () => Promise<unknown>): Promise<Line[]> => {
    const before = (await lines(service())).length;
    await work();
    return (await lines(service())).slice(before);
  };
