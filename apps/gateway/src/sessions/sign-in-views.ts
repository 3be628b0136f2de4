/** What the pages for signing in and out show. Pure: no request, no database. */
import { markup, nothing, type Html, type HtmlPage } from '../http/html-page.js';

export type SignInForm = {
  readonly next: string;
  readonly formToken: string;
  /** Of the issuer; undefined where there is none. */
  readonly issuerName?: string | undefined;
  /** The issuer is to ask again, since somebody else wants to sign in. */
  readonly isSwitch: boolean;
  readonly given?: { readonly team: string; readonly user: string };
  readonly fault?: FormFault;
};

/** What was wrong with a form, beside its field. */
export type FormFault = { readonly field: 'team' | 'user' | 'password' | 'apiKey' | 'form'; readonly message: string };

const hidden = (name: string, value: string): Html => markup`<input type="hidden" name="${name}" value="${value}" />`;

const alertOf = (fault: FormFault | undefined, field: FormFault['field']): Html =>
  fault?.field === field ? markup`<p role="alert" id="fault">${fault.message}</p>` : nothing;

type Field = {
  readonly name: 'team' | 'user' | 'password' | 'apiKey';
  readonly label: string;
  readonly attributes: Html;
};

const fieldOf = ({ name, label, attributes }: Field, value: string, fault: FormFault | undefined): Html => markup`
  ${alertOf(fault, name)}
  <label
    >${label}
    <input
      name="${name}"
      value="${value}"
      required
      ${fault?.field === name ? markup`aria-invalid="true" aria-describedby="fault"` : nothing}
      ${attributes}
  /></label>
`;

const shortText = markup`autocapitalize="none" spellcheck="false"`;
const fields: Readonly<Record<Field['name'], Field>> = {
  team: { name: 'team', label: 'Team', attributes: markup`maxlength="63" autocomplete="organization" ${shortText}` },
  user: {
    name: 'user',
    label: 'Name or e-mail address',
    attributes: markup`maxlength="128" autocomplete="username" ${shortText}`,
  },
  password: {
    name: 'password',
    label: 'Password',
    attributes: markup`type="password" maxlength="256" autocomplete="current-password"`,
  },
  apiKey: { name: 'apiKey', label: 'API key', attributes: markup`type="password" maxlength="500" autocomplete="off"` },
};

export const signInPage = ({ next, formToken, issuerName, isSwitch, given, fault }: SignInForm): HtmlPage => {
  const common = markup`${hidden('next', next)}${hidden('formToken', formToken)}`;
  const issuerPath = `/sign-in/sso?next=${encodeURIComponent(next)}${isSwitch ? '&switch=1' : ''}`;
  const content = markup`
    ${alertOf(fault, 'form')}
    ${
      issuerName === undefined
        ? nothing
        : markup`<p>
            <a href="${issuerPath}"><strong>Sign in with ${issuerName}</strong></a>
          </p>`
    }
    <form method="post" action="/sign-in">
      ${common} ${fieldOf(fields.team, given?.team ?? '', fault)} ${fieldOf(fields.user, given?.user ?? '', fault)}
      ${fieldOf(fields.password, '', fault)}
      <button type="submit">Sign in</button>
    </form>
    <details ${fault?.field === 'apiKey' ? markup`open` : nothing}>
      <summary>Sign in with an API key</summary>
      <form method="post" action="/sign-in">
        ${common} ${fieldOf(fields.apiKey, '', fault)}
        <button type="submit">Sign in with this key</button>
      </form>
    </details>
  `;
  return { title: 'Sign in', content };
};

type Team = { readonly team: string; readonly teamName: string };

/** For a person who is a member of several teams. Each writes its name itself; its id is of the operators. */
export const teamPage = (teams: readonly Team[], formToken: string): HtmlPage => ({
  title: 'Choose a team',
  content: markup`<p>You are a member of several teams.</p>
    <form method="post" action="/sign-in/team">
      ${hidden('formToken', formToken)}
      ${teams.map(
        ({ team, teamName }) =>
          markup`<p><button type="submit" name="team" value="${team}">${teamName} (${team})</button></p>`,
      )}
    </form>`,
});

/** `isDisabled`: there is a membership, which counts for nothing. */
export const noTeamPage = (
  person: { readonly issuer: string; readonly subject: string },
  isDisabled: boolean,
): HtmlPage => ({
  title: 'You are in no team',
  content: markup`<p role="alert">
      ${
        isDisabled
          ? 'Your membership is disabled.'
          : 'You have signed in, but no team that you may choose has you as a member.'
      }
    </p>
    <p>Give this to the administrator of your team, who can add you as a member:</p>
    <p>Issuer <code>${person.issuer}</code></p>
    <p>Subject <code>${person.subject}</code></p>
    <p><a href="/sign-in?switch=1">Sign in as somebody else</a></p>`,
});

export const signOutPage = (next: string, formToken: string): HtmlPage => ({
  title: 'Sign out',
  content: markup`<form method="post" action="/sign-out">
    ${hidden('next', next)}${hidden('formToken', formToken)}
    <p>You are signed in in this browser.</p>
    <button type="submit">Sign out</button>
    <a href="${next}">Stay signed in</a>
  </form>`,
});

/** `more`: what else the person has to know. */
export const signedOutPage = (more = ''): HtmlPage => ({
  title: 'You are signed out',
  content: markup`<p>${more}</p>
    <p><a href="/sign-in">Sign in</a></p>`,
});
