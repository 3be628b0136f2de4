import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { faultPage } from '../oauth/oauth-fault.js';
import { forwardPage, markup, pageHeaders, printHtmlPage } from './html-page.js';

describe('pages', () => {
  it('hold texts as texts, and markup as markup', () => {
    const hostile = `<b>"&'`;
    expect(markup`<i title="${hostile}">${[markup`<u>${hostile}</u>`, markup`2`]}</i>`.text).toBe(
      '<i title="&lt;b&gt;&quot;&amp;&#39;"><u>&lt;b&gt;&quot;&amp;&#39;</u>\n2</i>',
    );
    const page = printHtmlPage({ title: hostile, content: markup`x` });
    expect(page).toContain('<title>&lt;b&gt;&quot;&amp;&#39;</title>');
    expect(page).toContain('<h1>&lt;b&gt;&quot;&amp;&#39;</h1>');
    expect(printHtmlPage(faultPage(hostile, hostile))).not.toContain(hostile);
    expect(printHtmlPage(forwardPage('/a?b=c&d="'))).toContain('content="0;url=/a?b=c&amp;d=&quot;"');
  });

  it('are styled by what their policy allows, and nothing else', () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(printHtmlPage(forwardPage('/a'))) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(pageHeaders['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
  });
});
