import { describe, expect, it } from '@jest/globals';
import { printHtmlPage } from '../http/html-page.js';
import { assetIn, consentPageOf, type ConsentQuestion } from './consent-page.js';
import { destinationOf } from './redirect-address.js';

const question: ConsentQuestion = {
  client: {
    ...{ name: 'App', redirect: 'https://app.example/cb', hasRefreshTokens: true },
    known: { by: 'itself' },
  },
  asset: 'p2p-tools',
  asksForName: false,
  choices: [
    {
      ...{ team: 'meridian', teamName: 'Meridian', memberName: 'Anna' },
      ...{ allowed: ['mcp-asset.tools:execute'], missing: ['admin'] },
    },
  ],
  ...{ path: '/oauth2/consent/uid', formToken: 'token', otherPersonPath: '/sign-in?switch=1&next=x' },
};
const shown = (more: Partial<ConsentQuestion> = {}) => printHtmlPage(consentPageOf({ ...question, ...more }));

describe('the page of a consent', () => {
  it('names the client, where the answer goes, the server, the team and the rights', () => {
    const page = shown();
    for (const text of [
      'App',
      'app.example',
      'p2p-tools',
      'Meridian',
      'Anna',
      'call tools',
      'Not yours to give: admin',
    ])
      expect(page).toContain(text);
    expect(page).toContain('nobody here has checked it');
    expect(page).toContain('until somebody ends it');
  });

  it('shows what clients and teams are called as text', () => {
    const hostile = '"><script>alert(1)</script>&amp;\'';
    const page = shown({
      client: { ...question.client, name: hostile },
      asset: hostile,
      choices: [{ team: hostile, teamName: hostile, memberName: hostile, allowed: [hostile], missing: [hostile] }],
    });
    expect(page).not.toContain('<script');
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;');
  });

  it('promises nothing when none of what is asked for can be given', () => {
    const [choice] = question.choices;
    if (!choice) throw new Error('There is a choice.');
    const page = shown({ asset: undefined, choices: [{ ...choice, allowed: [], missing: ['payroll:read'] }] });
    expect(page).toContain('It may use nothing here.');
    expect(page).toContain('You have none of the rights');
    for (const promise of ['everything of this installation', 'as far as you allow it', 'It may do so', '>Allow<'])
      expect(page).not.toContain(promise);
  });

  it('lets a member of several teams choose one that can give something', () => {
    const [choice] = question.choices;
    if (!choice) throw new Error('There is a choice.');
    const other = { ...choice, team: 'northgate', teamName: 'Northgate', allowed: [] };
    const page = shown({ choices: [choice, other] });
    expect(page).toMatch(/type="radio" name="team" value="meridian" checked required/);
    expect(page).toMatch(/type="radio" name="team" value="northgate" disabled required/);
    expect(page).toContain('You have none of the rights');
  });

  it('tells teams apart that call themselves the same', () => {
    const [choice] = question.choices;
    if (!choice) throw new Error('There is a choice.');
    const page = shown({ choices: [choice, { ...choice, team: 'northgate' }] });
    for (const team of ['meridian', 'northgate']) expect(page).toContain(`<strong>Meridian</strong> (${team})`);
  });

  it('has no way to allow what nobody can give', () => {
    const [choice] = question.choices;
    if (!choice) throw new Error('There is a choice.');
    const page = shown({ choices: [{ ...choice, allowed: [] }] });
    expect(page).not.toContain('value="allow"');
    expect(page).toContain('value="deny"');
  });

  it('tells how a client is known, and what it is told of the person', () => {
    const known = (by: ConsentQuestion['client']['known']) => shown({ client: { ...question.client, known: by } });
    expect(known({ by: 'document', host: 'clients.example' })).toContain(
      'described at <strong>clients.example</strong>',
    );
    expect(known({ by: 'operator' })).toContain('known to the operators');
    expect(shown({ asksForName: true })).toContain('your name');
    expect(shown({ client: { ...question.client, hasRefreshTokens: false } })).toContain('for ten minutes');
    expect(shown({ asset: undefined })).toContain('everything of this installation');
  });
});

it.each([
  ['https://app.example:8443/cb?a=b', 'app.example:8443'],
  ['http://127.0.0.1:33418/', 'an application on this computer (127.0.0.1:33418)'],
  ['http://[::1]:81/', 'an application on this computer ([::1]:81)'],
  ['http://127.0.0.1.evil.example/', '127.0.0.1.evil.example'],
  ['ftp://evil.example/x', 'evil.example'],
  ['com.example.app://x/callback', 'an application on this computer (com.example.app:)'],
])('calls %s "%s"', (redirect, expected) => expect(destinationOf(redirect)).toBe(expected));

it('finds the MCP server in an address', () => {
  expect(assetIn('https://h/studio-copilot/api/v1/mcp-servers/mcp/a%20b')).toBe('a b');
  expect(assetIn('https://h')).toBeUndefined();
});
