import type { ProblemCode } from '@insurance-verification/schema';

/**
 * Explains a problem beyond its sentence: how it comes about, and what its reader should do. Paragraphs of plain text.
 */
export const EXPLANATIONS = {
  bad_request: [
    'The bytes could not be read as an HTTP request of this service: a broken first line, two lengths that contradict each other, a transfer coding other than chunked, no Host, or a connection that broke off within the body.',
    'Libraries do not send such requests. Look at what is between the client and the service, such as a proxy that rewrites requests.',
  ],
  idempotency_key_on_batch: [
    'A tRPC batch carries several calls, and the header would be of all of them.',
    'Send requests.create unbatched. The client of this project does.',
  ],
  header_on_batch: [
    'A tRPC batch carries several calls, and the header would be of all of them.',
    'Send requests.create unbatched. The client of this project does.',
  ],
  unauthorized: [
    'The header x-key is missing, or what it holds is no key, or a key that is revoked or expired. The answer does not say which.',
    'Send the key as it was shown when it was made, without quotes or a prefix such as "Bearer". If it is lost, an administrator makes another: iv keys create.',
    'A provider without a key asks the operator of the service for one. An administrator makes an account and a key of it with the scope requests, in the console under Accounts and Keys, or with iv accounts create and iv keys create; the key is shown once. Where you started the service yourself, its first start printed a key and keeps it in .data/api-key.',
  ],
  signed_out: [
    'The console was asked without a session: no person is signed in, or the session was idle for 15 minutes, is older than 12 hours, or was ended by its person or an administrator.',
    'Sign in again. On the machine of the service, iv console makes a link, and iv staff invite an invitation.',
  ],
  link_not_valid: [
    'A sign-in link works once, for 30 minutes; an invitation to make a passkey once, for 72 hours. This one was used before, is older, was cut short when it was copied, or belongs to a deactivated person.',
    'Ask an administrator for another, or make one on the machine of the service: iv console, or iv staff invite.',
  ],
  passkey_refused: [
    'The passkey was not accepted; refusal says why: its challenge is older than five minutes or used, it is unknown here, it was asked at another address, it did not check who uses it, it may be a copy, its person is deactivated, or their last sign-in with the identity provider is older than 12 hours.',
    'Sign in another way, with a link, an invitation or the provider, and review your passkeys in the settings of the console.',
  ],
  cross_site: [
    'A browser calls the console with the cookie of the person who is signed in, so it answers only its own pages: Sec-Fetch-Site must be same-origin or, in a browser that does not send it, Origin the address of the service. The body must be application/json, and the Host an address of this machine. /metrics without a token answers no page of another site either.',
    'Programs call the REST API or /trpc, with a key. Open the console at the address printed at startup.',
  ],
  forbidden: [
    'The key is valid, but has none of the scopes that the operation asks for; required_scopes names those that would do.',
    'Use a key that has one of them, or ask an administrator for one. The scopes of a key do not change after it is made.',
  ],
  fresh_sign_in_required: [
    'The operation makes or ends access: accounts, keys, people, limits, an emergency; it sets how long data is kept; or it delivers what was held. A person must have proven who they are within 15 minutes; the session is older, or the identity provider does not say in auth_time when that was.',
    'Sign in again, and repeat the call; the console does both. Configure the provider to send auth_time.',
  ],
  another_admin_required: [
    'Nobody gives themselves a role, or takes the bounds from one, while another administrator of the platform can do it for them.',
    'Ask the other administrator. Without one, the same call works.',
  ],
  person_required: [
    'Passkeys and settings belong to people who sign in to the console. A key has neither, whatever its scopes.',
    'Sign in to the console, and open its settings.',
  ],
  account_suspended: [
    'An administrator has suspended the account that the key belongs to. Nothing new is taken in; what was accepted before is verified and delivered.',
    'Ask the operator of the service. The same key works again when the account is resumed.',
  ],
  address_not_allowed: [
    'The key, or its account, is limited to some networks, and the call came from another.',
    'Call from a network that is on the list, or ask an administrator to add yours. Behind proxies, the address is the one that the last trusted proxy names.',
  ],
  not_found: [
    'No object with that id exists in this account, or there is no operation at this address. A request of another account is answered in the same way.',
    'Compare the id with the answer that issued it, and check that the key is of the same account and mode. Paths are case-sensitive.',
  ],
  result_not_ready: [
    'The request is known, but its verification has not ended yet.',
    'Wait for the webhook, or ask again later. A verification by people can take days.',
  ],
  method_not_allowed: [
    'The path is right, but it does not answer this method; the header Allow names those it answers.',
    'Many clients turn a POST into a GET when they follow a redirect. This service sends no redirects, so look at what is in front of it.',
  ],
  request_timeout: [
    'The headers did not arrive within 10 seconds, or the whole request within 30. The connection is closed.',
    'Send it again. With an Idempotency-Key a create that did arrive is not stored twice.',
  ],
  passkeys_need_name: [
    'A passkey belongs to the name of a site. The console was opened at an address made of numbers, for which browsers make none.',
    'On one machine, open the console at localhost in place of 127.0.0.1. Elsewhere give the service a name, and set PUBLIC_URL.',
  ],
  request_finished: [
    'The request already has an outcome, and closing it would contradict a result that may be delivered.',
    'Read the request, and its result, to see how it ended.',
  ],
  request_leased: [
    'Another verifier holds a lease on the request.',
    'Claim another one, or this one again when its lease has ended.',
  ],
  request_not_claimable: [
    'The request waits for a channel that the claim does not name, its batch was canceled, or as many requests of its payer as allowed are worked on already.',
    'Name the channel that it waits for, or claim it later. A canceled batch is not verified.',
  ],
  no_result: [
    'Only a result is delivered, and this request has none yet.',
    'Wait until its state is complete or error_verifying.',
  ],
  held_output_settled: [
    'Somebody has applied or dismissed this held output in the meantime. Nothing was changed.',
    'Read it again to see what became of it.',
  ],
  held_output_not_applicable: [
    'The held output says that a verification is still pending, so there is no result in it to apply.',
    'Dismiss it, or wait for the output that holds the result.',
  ],
  idempotency_in_progress: [
    'A first call with the same Idempotency-Key has not been answered yet. Nothing was stored by this one.',
    'Wait for the seconds that Retry-After names and send it again: it then gets the answer of the first.',
  ],
  locks_caller_out: [
    'The change would have ended the access of the key that asked for it, and perhaps of everybody who could undo it.',
    'Make the change with a key of another account, or include the network that you call from.',
  ],
  lease_lost: [
    'The lease on the request has ended, was taken by somebody else, or the request got its result in another way. Nothing was changed.',
    'Drop the work and claim the next. A heartbeat well before lease_expires_at keeps a lease.',
  ],
  not_own_result: [
    'Only the verifier whose attempt made the current result can correct it. The request has no result yet, or another one has replaced yours. Nothing was changed.',
    'Read the request. If its result is wrong, post what is right to /verification-output: an operator decides about it.',
  ],
  batch_ended: [
    'The batch was canceled, or the connection broke and the rest of the file was not sent within 24 hours. The rows that came before are listed with it.',
    'Send the rows that are missing as a new batch, with another Idempotency-Key.',
  ],
  too_many_call_backs: [
    'A key or person has 30 call-backs at once, also counting those that any verifier may make. The request is still leased.',
    'Make one of your call-backs first: take it with work.claimRequest, also before its time. Or release the request, so that another verifier takes it.',
  ],
  draft_changed: [
    'The revision that the call names is not the current one: another tab, or another verifier, saved or discarded the draft meanwhile. Nothing was changed.',
    'Read the draft, and save again with the revision that was read.',
  ],
  request_erased: [
    'The data of the request is gone: its account keeps the data of finished requests for some days, and these are over, or somebody asked for its erasure. The request, its result, what supports it and its messages were overwritten; its id, times and outcome are still listed, and who read it is in the access log.',
    'Nothing brings it back. Post a new request where the answer is needed again. A repeat of an old post with its Idempotency-Key is refused in the same way, for as long as the key is remembered.',
  ],
  legal_hold: [
    'Somebody placed a legal hold on the request, or on its whole account; hold_id names it. While it is in force, neither the end of a retention nor a request for erasure erases the data.',
    'Whoever looks after privacy ends the hold when the matter is closed: iv holds end. Then ask again.',
  ],
  another_person_required: [
    'What is erased does not come back, so an erasure and a shorter retention take two people: one asks, another confirms. A key counts as the person who made it; a session that began with a link counts as the maker of the link too; and somebody whom the asker added is not another person. The member because says which it is.',
    'Ask somebody else to confirm it: whom the asker did not add, signed in by their own passkey or identity provider, or by a link of somebody else. Where one person only is active on the installation, that one may.',
  ],
  payload_too_large: [
    'The body is larger than MAX_BODY_BYTES, 1 MiB unless the operator chose otherwise; without a key less is taken at POST /verification-output. A request that is created takes 128 KiB at most, as JSON with every character beyond ASCII escaped.',
    'A request or a result of usual size has a few kilobytes. Look for a field that was filled by mistake.',
  ],
  unsupported_content_encoding: [
    'Compressed bodies are not taken: a few kilobytes can unfold to gigabytes.',
    'Send the JSON as it is, without Content-Encoding.',
  ],
  held_capacity_exceeded: [
    'Outputs that no rule could accept wait for an operator, and there is a bound on how many wait.',
    'Send it again after the seconds that Retry-After names. An operator makes room: iv held list.',
  ],
  rate_limited: [
    'A quota was used up. violated_policies names it, RateLimit-Policy its size, and Retry-After the seconds until the next call is taken. Nothing was done.',
    'Wait that long. Spread bulk loads over time, and ask the operator for a larger quota if it happens every day.',
  ],
  header_too_large: [
    'The first line and the headers together exceed 16 KiB, or there are more than 100 headers.',
    'Cookies and tracing headers that a proxy adds are the usual cause. This service needs only content-type and x-key.',
  ],
  internal: [
    'The service has a fault. The log of the service has the cause under request_trace, which is also the header request-id.',
    'Send the call again; a create with the same Idempotency-Key. If it fails again, give the operator the id.',
  ],
  unavailable: [
    'The database does not answer or cannot be written, the process is about to end, or there is no room for more bodies at the moment.',
    'Wait for the seconds that Retry-After names and send it again; a create with the same Idempotency-Key. The client of this project does so by itself.',
  ],
} as const satisfies Record<ProblemCode, readonly string[]>;
