import { migrate } from './migrate.ts';
import { exampleMigrations } from './online/example-migration.fixture.ts';

// For a test to kill.
await migrate({ connectionString: process.argv[2] ?? '', known: exampleMigrations });
