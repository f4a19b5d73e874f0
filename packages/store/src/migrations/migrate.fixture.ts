import { migrate } from './migrate.ts';

// For a test to kill.
await migrate({ connectionString: process.argv[2] ?? '' });
