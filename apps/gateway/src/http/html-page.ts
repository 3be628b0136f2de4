/**
 * Pages for people in browsers: no script, nothing from elsewhere, in no frame, kept by nobody. Whatever is not written here is text in
 * them, never markup.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const pageStyle =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem}' +
  'label{display:block;margin:.8rem 0}input{font:inherit;padding:.4rem}' +
  'input:not([type=radio]){display:block;width:100%;box-sizing:border-box}' +
  'fieldset{border:1px solid #999;border-radius:4px;margin:1rem 0}' +
  'button{font:inherit;padding:.4rem 1.2rem;margin:.4rem .5rem .4rem 0}details{margin:1.5rem 0}' +
  '[role=alert]{border-left:4px solid #b00020;padding-left:.8rem}code,strong{overflow-wrap:anywhere}small{color:#555}';

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  // Chromium holds redirects after a form to this as well: what leads to another site is a page that goes on.
  ...["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  // Without any referrer, browsers that send no Sec-Fetch-Site would send `Origin: null` with the form.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** What was put together by `markup`. */
export class Html {
  constructor(readonly text: string) {}
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

type Part = string | Html | readonly Html[];
const textOf = (part: Part): string => {
  if (typeof part === 'string') return escapeText(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('\n');
};

/** HTML; texts between the parts of the template are escaped. */
export const markup = (parts: TemplateStringsArray, ...values: readonly Part[]): Html =>
  new Html(parts.map((part, index) => part + textOf(values[index] ?? '')).join(''));

export const nothing = new Html('');

export type HtmlPage = { readonly title: string; readonly content: Html; readonly head?: Html };

/** Between the tags of the style is what the policy names by its digest, and nothing else. */
export const printHtmlPage = ({ title, content, head = nothing }: HtmlPage): string =>
  markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
${head}<title>${title}</title>
<style>${new Html(pageStyle)}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`.text;

/**
 * Goes on by itself: the browser takes the next address as one that this page has named, whichever site sent it here, and sends cookies
 * that are for this site alone.
 */
export const forwardPage = (address: string): HtmlPage => ({
  title: 'One moment',
  content: markup`<p><a href="${address}">Go on</a></p>`,
  head: markup`<meta http-equiv="refresh" content="0;url=${address}">
`,
});

export const sendPage = (reply: FastifyReply, page: HtmlPage, status = 200): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(printHtmlPage(page));
