/** What must hold for the work on months. */
export const EXPECTED =
  'a database that this version has migrated, reached as the role that owns its tables, without a pooler between';
