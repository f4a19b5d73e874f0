import pg from 'pg';

let created = 0;

/** An empty database on the same server; the service migrates it at its start. */
export async function createDatabase(adminUrl: string): Promise<string> {
  created += 1;
  const name = `fault_${process.pid}_${created}`;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}
