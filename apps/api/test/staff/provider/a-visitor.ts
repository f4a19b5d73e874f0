import type { TestService } from '../../a-service.ts';
import { type Answer, send } from '../../send.ts';
import { aClient, OWN_PAGE } from '../a-session.ts';
import { PUBLIC_URL } from './a-provider.ts';

/** A browser without pages: it keeps each site's cookies and follows where it is sent. */
export interface Visitor {
  /** The cookies of the service, as the browser would send them. */
  cookies(): Record<string, string>;
  /** Puts a cookie back, or another in its place. */
  setCookie(name: string, value: string): void;
  get(address: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /**
   * Goes from address to address until one is a page, or the one that `until` names, which is not asked for.
   * @returns the last address.
   */
  follow(address: string, options?: FollowOptions): Promise<URL>;
  /** Begins a sign-in with the provider. @returns where that leads. */
  begin(asked?: Asked): Promise<string>;
  /** Signs in with the provider, as who sits there. @returns where that leads. */
  signIn(asked?: Asked, options?: FollowOptions): Promise<URL>;
}

/** What the sign-in page asks for. */
interface Asked {
  readonly to?: string;
  readonly fresh?: boolean;
  readonly invitation?: string | undefined;
}

interface FollowOptions {
  readonly until?: (url: URL) => boolean;
  /** Changes an address on the way, as somebody in between would. */
  readonly change?: (url: URL) => void;
}

/** The https address is a proxy's: behind it, the service is asked in plain http under that name. */
export function aVisitor(service: TestService): Visitor {
  const jar = new Map<string, Map<string, string>>();
  const client = aClient();
  const cookiesOf = ({ origin }: URL) => {
    let cookies = jar.get(origin);
    if (!cookies) jar.set(origin, (cookies = new Map()));
    return cookies;
  };
  const own = new URL(PUBLIC_URL);

  const call = async (method: string, url: URL, body?: unknown): Promise<Answer> => {
    const cookies = cookiesOf(url);
    const isOwn = url.origin === own.origin;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await send(method, isOwn ? `${service.url}${url.pathname}${url.search}` : url.href, {
      ...(body !== undefined && { body }),
      headers: {
        ...(isOwn && { ...OWN_PAGE, ...client, host: url.host }),
        ...(cookie !== '' && { cookie }),
      },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };

  const follow: Visitor['follow'] = async (address, { until, change } = {}) => {
    let url = new URL(address, own);
    for (let steps = 0; steps < 20; steps += 1) {
      change?.(url);
      if (until?.(url)) return url;
      if (url.origin === own.origin && /^\/console(?!\/sign-in\/)/.test(url.pathname)) return url;
      const { status, headers, text } = await call('GET', url);
      const { location } = headers;
      if (typeof location !== 'string')
        throw new Error(`${url.href} answered ${status}: ${text} ${service.logLines.at(-1)}`);
      url = new URL(location, url);
    }
    throw new Error(`It leads in a circle: ${url.href}`);
  };
  const begin: Visitor['begin'] = async (asked = {}) => {
    const { status, text, json } = await call('POST', new URL('/console/api/sign-in/provider', own), asked);
    if (status !== 200) throw new Error(`The start answered ${status}: ${text}`);
    return (json as { continue_at: string }).continue_at;
  };
  return {
    cookies: () => Object.fromEntries(cookiesOf(own)),
    setCookie: (name, value) => void cookiesOf(own).set(name, value),
    get: (address) => call('GET', new URL(address, own)),
    post: (path, body) => call('POST', new URL(path, own), body),
    follow,
    begin,
    signIn: async (asked, options) => follow(await begin(asked), options),
  };
}

/** Whether an address is where the provider sends the browser back to. */
export const isCallback = ({ pathname }: URL): boolean => pathname === '/console/sign-in/callback';
