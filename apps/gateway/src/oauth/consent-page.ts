/** The page on which a person allows a client to act, or does not: who asks, for what, in which team, and where the answer goes. */
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import { toCanonicalScope } from '../auth/token-caller.js';
import { markup, nothing, type Html, type HtmlPage } from '../http/html-page.js';
import { destinationOf } from './redirect-address.js';

export type AskingClient = {
  readonly name: string;
  readonly redirect: string;
  /** How it is known: by a document at its own address, by the operator, or by what it said itself. */
  readonly known: { readonly by: 'document'; readonly host: string } | { readonly by: 'operator' | 'itself' };
  readonly hasRefreshTokens: boolean;
};

export type ConsentChoice = {
  readonly team: string;
  readonly teamName: string;
  readonly memberName: string;
  /** Of what is asked for, as it was asked for. */
  readonly allowed: readonly string[];
  readonly missing: readonly string[];
};

export type ConsentQuestion = {
  readonly client: AskingClient;
  /** Of one MCP server; undefined for everything. */
  readonly asset: string | undefined;
  readonly asksForName: boolean;
  readonly choices: readonly ConsentChoice[];
  /** Where the form goes, and what it has to carry. */
  readonly path: string;
  readonly formToken: string;
  readonly otherPersonPath: string;
};

const scopeWords: Readonly<Record<string, string>> = {
  'content:read': 'read content',
  'content:write': 'change content',
  'tools:execute': 'call tools',
  'agents:converse': 'talk to agents',
  'agents:execute': 'run agents and their tools',
  'knowledge-models:read': 'read data of knowledge models',
  admin: 'administer the team: members, keys, agents, tools',
};

export const consentPageOf = (question: ConsentQuestion): HtmlPage => {
  const { client, choices, path, formToken, otherPersonPath } = question;
  const isPossible = choices.some(isGivable);
  return {
    title: `Allow ${client.name}?`,
    content: markup`<p><strong>${client.name}</strong> wants to act for you. ${originOf(client)}</p>
<p>You will be sent back to <strong>${destinationOf(client.redirect)}</strong>.</p>
<p>It may ${subjectOf(question)}</p>
<form method="post" action="${path}">
<input type="hidden" name="form" value="${formToken}">
${choices.map((choice, index) => choiceOf(choice, choices.length, index))}
${isPossible ? moreOf(question) : nothing}
<p>${isPossible ? allowButton : nothing}<button name="decision" value="deny">Do not allow</button></p>
</form>
<p><small><a href="${otherPersonPath}">Somebody else?</a></small></p>`,
  };
};

/** Something that is asked for, or nothing but who the person is. */
export const isGivable = ({ allowed, missing }: Pick<ConsentChoice, 'allowed' | 'missing'>): boolean =>
  allowed.length > 0 || missing.length === 0;

const allowButton = markup`<button name="decision" value="allow">Allow</button>`;

const originOf = ({ known }: AskingClient): Html => {
  switch (known.by) {
    case 'document':
      return markup`It is described at <strong>${known.host}</strong>.`;
    case 'operator':
      return markup`It is known to the operators.`;
    case 'itself':
      return markup`It gave this name itself; nobody here has checked it.`;
  }
};

const subjectOf = ({ asset, choices }: ConsentQuestion): Html => {
  if (choices.every(({ allowed }) => allowed.length === 0)) return markup`use nothing here.`;
  return asset === undefined
    ? markup`use <strong>everything of this installation</strong>, as far as you allow it:`
    : markup`use the MCP server <strong>${asset}</strong> and nothing else, as far as you allow it:`;
};

const choiceOf = (choice: ConsentChoice, count: number, index: number): Html => {
  const { team, teamName, memberName, allowed, missing } = choice;
  // The team writes its name itself; its id is of the operators.
  const label = markup`team <strong>${teamName}</strong> (${team}), as ${memberName}`;
  const state = !isGivable(choice) ? markup` disabled` : index === 0 ? markup` checked` : nothing;
  const pick =
    count === 1
      ? markup`<input type="hidden" name="team" value="${team}">${label}`
      : markup`<label><input type="radio" name="team" value="${team}"${state} required> ${label}</label>`;
  const notGiven =
    missing.length === 0 ? nothing : markup`<p><small>Not yours to give: ${missing.join(', ')}</small></p>`;
  const rights = isGivable(choice)
    ? markup`<ul>${allowed.map(rightOf)}</ul>${notGiven}`
    : markup`<p>You have none of the rights that it asks for.</p>`;
  return markup`<fieldset><legend>${pick}</legend>${rights}</fieldset>`;
};

const rightOf = (scope: string): Html =>
  markup`<li>${scopeWords[toCanonicalScope(scope)] ?? scope} <small>(${scope})</small></li>`;

const moreOf = ({ asksForName, client }: ConsentQuestion): Html => {
  const name = asksForName ? markup`<p>It is told who you are: your name.</p>` : nothing;
  const howLong = client.hasRefreshTokens
    ? 'It may do so without you until somebody ends it, at most 180 days; after 30 days without use it has to ask again.'
    : 'It may do so for ten minutes.';
  return markup`${name}<p><small>${howLong}</small></p>`;
};

const endpointStart = exchangeMcp.http.path.slice(0, exchangeMcp.http.path.indexOf('{'));

/** The name of the MCP server at this address; undefined for everything. */
export const assetIn = (resource: string): string | undefined => {
  const at = resource.indexOf(endpointStart);
  return at < 0 ? undefined : decodeURIComponent(resource.slice(at + endpointStart.length));
};
