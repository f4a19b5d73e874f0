import { problemOf } from '@insurance-verification/schema';
import { head } from '@insurance-verification/testing/wire/head';
import { expectTimedOut, slowClients } from '@insurance-verification/testing/wire/slow-clients';
import { test } from 'vitest';
import { useService } from '../a-service.ts';

// The real limits of the real server, 10 s for headers and 30 s for a request, for all clients at once. The test waits
// for the answers and measures no times.
const patience = { timeout: 90_000 };

const service = useService();

// Otherwise a few hundred idle connections would hold every socket that the process may have.
test('a client that is slow, however it is, gets a 408 and the connection closes', patience, () =>
  expectTimedOut(
    service.url,
    [
      ...slowClients((...headers) => head('POST /verification-output', headers)),
      [
        'a body that does not end, to tRPC',
        head('POST /trpc/verificationOutput.submit', ['Content-Length: 100']),
        '',
      ],
    ],
    problemOf('request_timeout'),
  ),
);
