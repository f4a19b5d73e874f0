import { aRequest } from '@insurance-verification/testing/a-request';
import { API_KEY } from '../ground/bench-server.ts';
import { type Answers, type PostLoad, postLoad } from './post-load.ts';

/** Posts requests to a service, or to what stands beside it, over several connections. */
export function postRequests(
  serviceUrl: string,
  load: Pick<PostLoad, 'connectionCount' | 'seconds'>,
): Promise<Answers> {
  return postLoad({
    url: `${serviceUrl}/requests/`,
    headers: { 'content-type': 'application/json', 'x-key': API_KEY },
    body: JSON.stringify(aRequest({ callback_url: 'https://receiver.example/verified' })),
    ...load,
  });
}
