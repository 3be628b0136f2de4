/** The stack of the specs with single sign-on: two gateways, a real issuer on another site, and a browser. */
import { listAccessChanges } from '@tessera/contracts/gateway';
import pg from 'pg';
import { issuerClient, startForeignIssuer, type ForeignIssuer } from './foreign-issuer.js';
import type { Page, TestBrowser } from './test-browser.js';
import { openTestStack, type TestStack } from './test-stack.js';

export type SignOnStack = TestStack & {
  readonly issuer: ForeignIssuer;
  /** Public addresses of two gateways. */
  readonly url: string;
  readonly otherUrl: string;
  /** As the superuser of the database. */
  readonly administrator: pg.Client;
  /** The person of the issuer becomes a member. */
  readonly saveMember: (team: string, memberId: string, subject?: string, more?: object) => Promise<void>;
  /** The newest lines of the log of meridian: what, of whom, by whom. */
  readonly newestChanges: (count: number) => Promise<readonly string[]>;
};

export const openSignOnStack = async (): Promise<SignOnStack> => {
  const issuer = await startForeignIssuer();
  const stack = await openTestStack({
    SSO_ISSUER: issuer.url,
    SSO_CLIENT_ID: issuerClient.id,
    SSO_CLIENT_SECRET: issuerClient.secret,
    SSO_NAME: 'Meridian <Login>',
  });
  const other = await stack.startGateway();
  const [url, otherUrl] = [`http://localhost:${stack.gateway.port}`, `http://localhost:${other.port}`];
  issuer.serve(url, otherUrl);
  const administrator = new pg.Client({ connectionString: stack.database.adminUrl });
  await administrator.connect();
  const { operator: key } = stack.keys;
  return {
    ...{ ...stack, issuer, url, otherUrl, administrator },
    saveMember: async (team, memberId, subject = issuer.person ?? '', more = {}) => {
      const identity = { issuer: issuer.url, subject };
      const body = { displayName: 'Anna Weber', roles: ['viewer'], identity, samePerson: true, ...more };
      const { status } = await stack.request(`/admin/teams/${team}/members/${memberId}`, { key, method: 'PUT', body });
      if (status !== 200) throw new Error(`The member could not be written: ${status}.`);
    },
    newestChanges: async (count) => {
      const { body } = await stack.request(`/admin/teams/meridian/access-changes?pageSize=${count}`, { key });
      const { changes } = listAccessChanges.reply.parse(body);
      return changes.map(({ action, subject, target }) => `${action} ${target} by ${subject}`);
    },
    stop: async () => {
      await administrator.end();
      await stack.stop();
      await issuer.stop();
    },
  };
};

/** The browser goes to the issuer and back. */
export const signInAtIssuer = (browser: TestBrowser, publicUrl: string, next = '/'): Promise<Page> =>
  browser.open(`${publicUrl}/sign-in/sso?next=${encodeURIComponent(next)}`);

/** What a person reads first: the status, and the title. */
export const shownBy = ({ status, text }: Page): readonly [number, string | undefined] => [
  status,
  /<h1>(.*?)<\/h1>/.exec(text)?.[1],
];
