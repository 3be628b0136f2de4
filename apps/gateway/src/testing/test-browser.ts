/**
 * A browser without scripts, as far as signing in needs one: cookies by host, path and SameSite, Sec-Fetch-Site and Origin, redirects,
 * pages that go on by themselves, links, forms, and the policy of a page for its forms.
 */
type Cookie = { readonly value: string; readonly path: string; readonly sameSite: string; readonly header: string };

export type Page = { readonly url: string; readonly status: number; readonly headers: Headers; readonly text: string };

type Navigation = {
  readonly method?: 'GET' | 'POST';
  readonly body?: URLSearchParams;
  /** The page that leads there; none for an address that somebody has typed. */
  readonly from?: Page | undefined;
};

const hopsMax = 15;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export class TestBrowser {
  /** By host name, since ports do not part cookies, then by name. */
  readonly #cookies = new Map<string, Map<string, Cookie>>();
  page: Page | undefined;
  /** Every address of the last navigation, with its status. */
  hops: string[] = [];

  /** The navigation ends before an address that this says yes to: it is in `stoppedAt`. */
  stopBefore: (url: string) => boolean = () => false;
  stoppedAt = '';

  /** `Set-Cookie` as it came last, by the name of the cookie. */
  setCookie(url: string, name: string): string | undefined {
    return this.#jarOf(url).get(name)?.header;
  }

  cookie(url: string, name: string): string | undefined {
    const value = this.#jarOf(url).get(name)?.value;
    return value === '' ? undefined : value;
  }

  putCookie(url: string, name: string, value: string): void {
    const kept = this.#jarOf(url).get(name) ?? { path: '/', sameSite: 'Strict', header: '' };
    this.#jarOf(url).set(name, { ...kept, value });
  }

  /** As if somebody had typed the address. */
  open(url: string): Promise<Page> {
    return this.#navigate(url, {});
  }

  /** The link with this text, or to this address. */
  click(link: string): Promise<Page> {
    const page = this.#shown();
    const links = [...page.text.matchAll(/<a\s+href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
    const found = links.find(([, href, text = '']) => href === link || withoutTags(text) === link);
    if (!found) throw new Error(`There is no link ${link} on the page: ${page.text}`);
    return this.#navigate(new URL(unescapeHtml(found[1] ?? ''), page.url).href, { from: page });
  }

  /** The form to this path; of several the one that has a field of the last name given. */
  submit(action: string, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const page = this.#shown();
    const forms = [...page.text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)];
    const last = Object.keys(fields).at(-1) ?? '';
    const toAction = forms.filter(([, head = '']) => attributeIn(head, 'action')?.endsWith(action));
    const form = toAction.find(([, , inner = '']) => inner.includes(`name="${last}"`)) ?? toAction[0];
    if (!form) throw new Error(`There is no form to ${action} on the page: ${page.text}`);
    const [, head = '', inner = ''] = form;
    const body = new URLSearchParams();
    for (const [, input = ''] of inner.matchAll(/<input([^>]*)>/gs))
      body.set(attributeIn(input, 'name') ?? '', attributeIn(input, 'value') ?? '');
    body.delete('');
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const target = new URL(attributeIn(head, 'action') ?? '', page.url).href;
    return this.#navigate(target, { method: 'POST', body, from: page });
  }

  /** A page of another site sends the browser there. */
  openFrom(origin: string, url: string, navigation: Omit<Navigation, 'from'> = {}): Promise<Page> {
    const from = { url: `${origin}/`, status: 200, headers: new Headers(), text: '' };
    return this.#navigate(url, { ...navigation, from });
  }

  /** A script of the page that is shown asks. */
  async fetch(path: string, init: { readonly method?: string; readonly headers?: Record<string, string> } = {}) {
    const { url } = this.#shown();
    const target = new URL(path, url).href;
    const headers = {
      'sec-fetch-site': 'same-origin',
      cookie: this.#cookiesFor(target, 'same-origin', true),
      ...init.headers,
    };
    return fetch(target, { ...init, headers });
  }

  async #navigate(start: string, { method: first = 'GET', body: given, from }: Navigation): Promise<Page> {
    this.hops = [];
    let [url, method, body] = [start, first, given];
    let [initiator, site, isForm] = [from, 'none', given !== undefined];
    for (let hop = 0; hop < hopsMax; hop++) {
      if (this.stopBefore(url)) {
        this.stoppedAt = url;
        return this.#shown();
      }
      site = initiator ? worse(site, relationOf(initiator.url, url)) : site;
      if (isForm && initiator) checkFormAction(initiator, url);
      const page = await this.#request(url, { method, body, site, origin: initiator && new URL(initiator.url).origin });
      this.hops.push(`${page.status} ${new URL(url).pathname}`);
      this.page = page;
      const location = page.headers.get('location');
      const refresh = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(page.text)?.[1];
      if (redirects.has(page.status) && location !== null) {
        url = new URL(location, url).href;
        if (page.status !== 307 && page.status !== 308) [method, body] = ['GET', undefined];
      } else if (refresh !== undefined) {
        // Another navigation, which this page has begun.
        url = new URL(unescapeHtml(refresh), url).href;
        [initiator, site, isForm, method, body] = [page, 'none', false, 'GET', undefined];
      } else return page;
    }
    throw new Error(`The browser goes in circles: ${this.hops.join(', ')}`);
  }

  async #request(
    url: string,
    sent: { method: string; body: URLSearchParams | undefined; site: string; origin: string | undefined },
  ): Promise<Page> {
    const cookie = this.#cookiesFor(url, sent.site, sent.method === 'GET');
    const response = await fetch(url, {
      method: sent.method,
      redirect: 'manual',
      headers: {
        accept: 'text/html,*/*;q=0.8',
        'sec-fetch-site': sent.site,
        ...(cookie !== '' && { cookie }),
        ...(sent.method === 'POST' && sent.origin !== undefined && { origin: sent.origin }),
      },
      ...(sent.body && { body: sent.body }),
    });
    for (const header of response.headers.getSetCookie()) this.#keep(url, header);
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  #shown(): Page {
    return this.page ?? { url: 'about:blank', status: 0, headers: new Headers(), text: '' };
  }

  #jarOf(url: string): Map<string, Cookie> {
    const { hostname } = new URL(url);
    const jar = this.#cookies.get(hostname) ?? new Map<string, Cookie>();
    this.#cookies.set(hostname, jar);
    return jar;
  }

  #keep(url: string, header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const told = new Map(attributes.map((each) => [each.split('=')[0]?.toLowerCase() ?? '', each.split('=')[1] ?? '']));
    const isOver = told.get('max-age') === '0' || Date.parse(told.get('expires') ?? '') < Date.now();
    const [path, sameSite] = [told.get('path') ?? '/', told.get('samesite')?.toLowerCase() ?? 'lax'];
    this.#jarOf(url).set(pair.slice(0, at), { value: isOver ? '' : pair.slice(at + 1), path, sameSite, header });
  }

  #cookiesFor(url: string, site: string, isGet: boolean): string {
    const { pathname } = new URL(url);
    return [...this.#jarOf(url)]
      .filter(
        ([, { value, path }]) => value !== '' && `${pathname}/`.startsWith(path.endsWith('/') ? path : `${path}/`),
      )
      .filter(([, { sameSite }]) => site !== 'cross-site' || (sameSite === 'lax' && isGet) || sameSite === 'none')
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }
}

const siteOrder = ['none', 'same-origin', 'same-site', 'cross-site'];
/** One hop elsewhere is enough for all that follow. */
const worse = (one: string, two: string): string =>
  siteOrder[Math.max(siteOrder.indexOf(one), siteOrder.indexOf(two))] ?? 'cross-site';

const relationOf = (from: string, to: string): string => {
  const [one, two] = [new URL(from), new URL(to)];
  if (one.origin === two.origin) return 'same-origin';
  return one.protocol === two.protocol && one.hostname === two.hostname ? 'same-site' : 'cross-site';
};

const checkFormAction = (page: Page, url: string): void => {
  const policy = page.headers.get('content-security-policy') ?? '';
  if (/form-action 'self'(?:;|$)/.test(policy) && new URL(page.url).origin !== new URL(url).origin)
    throw new Error(`The policy of ${page.url} keeps its forms from ${url}.`);
};

const attributeIn = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
};
const withoutTags = (text: string): string => unescapeHtml(text.replaceAll(/<[^>]*>/g, '').trim());
const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
