/** The same team in TypeScript: without tRPC's types all others are what they are, and not `any`. */
import {
  type AppRouter,
  createRestClient,
  createTrpcClient,
  parseWebhook,
  type ParseWebhookOptions,
  type RestClient,
  type RouterInputs,
  type RouterOutputs,
} from '@insurance-verification/client';

type Assert<T extends true> = T;
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const rest = createRestClient({ url: 'http://127.0.0.1:9' });
const trpc = createTrpcClient({ url: 'http://127.0.0.1:9' });
export const fromRest = async () => (await rest.requests.get({ request_id: 'req_1' })).input.payer_info.name;
export const fromTrpc = async () =>
  (await trpc.requests.get.query({ request_id: 'req_1' })).input.payer_info.name;
export const fromWebhook = async (options: ParseWebhookOptions) =>
  (await parseWebhook(options)).result.request.input.payer_info.name;
export type Proofs = [
  Assert<Is<Awaited<ReturnType<typeof fromRest>>, string>>,
  Assert<Is<Awaited<ReturnType<typeof fromTrpc>>, string>>,
  Assert<Is<Awaited<ReturnType<typeof fromWebhook>>, string>>,
  Assert<Is<RouterOutputs['requests']['get']['input']['payer_info']['name'], string>>,
  Assert<Is<RouterInputs['requests']['get'], { request_id: string }>>,
];
// @ts-expect-error an operation that does not exist
export type NoOperation = RestClient['requests']['remove'];

/** Compiles, and is of no use without tRPC. */
export type Router = AppRouter;
