/** TypeScript that becomes CommonJS: its imports are `require` calls. Compiled alone. */
import { createRestClient, type RestClient } from '@insurance-verification/client';
import { RequestInfo } from '@insurance-verification/schema';
import { verifyWebhook } from '@insurance-verification/webhook/verify';

export const client: RestClient = createRestClient({ url: 'http://127.0.0.1:3000' });
export const callbackOf = (body: unknown): string => RequestInfo.parse(body).callback_url;
export const verify: (...given: Parameters<typeof verifyWebhook>) => Promise<{ id: string }> = verifyWebhook;
