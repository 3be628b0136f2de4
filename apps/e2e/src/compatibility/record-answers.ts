/**
 * Records the gateway's answers while a spec file runs: for each operation the statuses with failure codes, the members
 * of accepted requests, and the members of their answers. `recordAnswers()` at the end of a spec file compares them
 * with `observed/<spec file>.golden.txt`. 500 and 503 are left out: they depend on the machine.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pathParameterNames, type HttpOperation } from '@tessera/contracts';
import { failureCatalogue } from '@tessera/failures';
import { memberOf, parseJson } from '../json.js';
import { answerMembersOf, documentedOperations, requestMembersOf, type DocumentedMember } from './operation-members.js';

export const observedAnswersFolder = join(import.meta.dirname, 'observed');

const patterns = documentedOperations.map((operation) => ({
  operation,
  method: operation.http.method.toUpperCase(),
  // An OData key follows the set's name in parentheses.
  path: new RegExp(
    `^${operation.http.path
      .replace(/[.$()]/g, '\\$&')
      .replace(/\{(\w+)\}/g, (_, name) => (name === 'key' ? '\\([^/]*\\)' : '[^/()]+'))}$`,
  ),
  literals: operation.http.path.replace(/\{\w+\}/g, '').length,
}));

/** The one with the most specific path. */
const operationAt = (method: string, path: string): HttpOperation | undefined =>
  patterns
    .filter((pattern) => pattern.method === method && pattern.path.test(path))
    .toSorted((one, other) => other.literals - one.literals)[0]?.operation;

/** `elements[].id` for each value of a document; members that are not among the declared ones are not entered. */
const pathsIn = (value: unknown, declared: ReadonlySet<string>, prefix = ''): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, declared, `${prefix}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return declared.has(path) && item !== undefined ? [path, ...pathsIn(item, declared, path)] : [];
  });
};

/** A list of faults has no code of its own: it is the operation's failure of that status. */
const codeOf = (operation: HttpOperation, status: number, text: string): string => {
  const document = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined;
  const found = [
    memberOf(document, 'data', 'error'),
    memberOf(document, 'code'),
    memberOf(document, 'errorCode'),
    Array.isArray(document) ? operation.failures.find((code) => failureCatalogue[code].status === status) : undefined,
  ].find((each) => typeof each === 'string');
  return typeof found === 'string' ? ` ${found}` : '';
};

type DeclaredOperation = Pick<HttpOperation, 'request' | 'http'>;

const requestMembers = ({ request, http }: DeclaredOperation, sent: Request, body: string): readonly string[] => {
  const url = new URL(sent.url);
  const plain = (name: string): string => {
    if (!http.isOData) return name;
    return name.startsWith('@') ? 'aliases' : name.replace(/^\$/, '').toLowerCase();
  };
  const queried = new Set([...url.searchParams.keys()].map(plain));
  const members = Object.keys(request.shape).filter((name) => {
    if (name === http.body) return false;
    const header = http.headers?.[name];
    return (
      pathParameterNames(http).includes(name) ||
      (header !== undefined && sent.headers.has(header)) ||
      queried.has(plain(header ?? name))
    );
  });
  const inBody = requestMembersOf({ request, http }).filter(({ place }) => place === 'body');
  // A batch of several parts has no members.
  const isJson = body.startsWith('{') || body.startsWith('[');
  return [...members, ...(inBody.length > 0 && isJson ? pathsIn(parseJson(body), namesIn(inBody)) : [])];
};

const namesIn = (members: readonly DocumentedMember[]): ReadonlySet<string> => new Set(members.map(({ name }) => name));

/** `content.facets.list = 200`, `… > api-version` for a member of the request, `… < count` for one of the answer. */
export const toObservationLines = (sent: Request, body: string, status: number, text: string): readonly string[] => {
  const operation = operationAt(sent.method, new URL(sent.url).pathname);
  if (operation === undefined || status === 500 || status === 503) return [];
  const { name } = operation;
  if (status >= 400) return [`${name} = ${status}${codeOf(operation, status, text)}`];
  const isJson = text.startsWith('{') || text.startsWith('[');
  return [
    `${name} = ${status}`,
    ...requestMembers(operation, sent, body).map((member) => `${name} > ${member}`),
    ...(isJson
      ? pathsIn(parseJson(text), namesIn(answerMembersOf(operation))).map((member) => `${name} < ${member}`)
      : []),
  ];
};

/** One line for each operation and kind, sorted: `content.facets.list > api-version, collectionId`. */
const grouped = (observed: ReadonlySet<string>): string => {
  const lines = new Map<string, string[]>();
  for (const each of [...observed].toSorted()) {
    const [name = '', kind = '', ...what] = each.split(' ');
    const begin = `${name} ${kind}`;
    lines.set(begin, [...(lines.get(begin) ?? []), what.join(' ')]);
  }
  return [...lines].map(([begin, what]) => `${begin} ${what.join(', ')}\n`).join('');
};

/** Whose lines a golden has, each as `toObservationLines` gives it. */
export const parseObservationLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [name = '', kind = ''] = line.split(' ', 2);
      const begin = `${name} ${kind} `;
      return line
        .slice(begin.length)
        .split(', ')
        .map((what) => begin + what);
    });

/** Called at the end of a spec file, outside of its suites. */
export const recordAnswers = (): void => {
  const observed = new Set<string>();
  const pending: Promise<void>[] = [];
  const unobserved = globalThis.fetch;
  const record = async (sent: Request, answer: Response): Promise<void> => {
    const body = sent.body === null ? '' : await sent.text();
    for (const line of toObservationLines(sent, body, answer.status, await answer.text())) observed.add(line);
  };
  beforeAll(() => {
    globalThis.fetch = async (input, init) => {
      const sent = new Request(input, init);
      const response = await unobserved(input, init);
      // Who reads events may leave before they end; a copy would hold them.
      const isStream = (response.headers.get('content-type') ?? '').includes('event-stream');
      pending.push(record(sent, isStream ? new Response('', { status: response.status }) : response.clone()));
      return response;
    };
  });
  describe('the answers that were observed', () => {
    it('are those that docs/compatibility.md is made of (UPDATE_GOLDENS=1 writes them anew)', async () => {
      globalThis.fetch = unobserved;
      await Promise.allSettled(pending);
      const text = grouped(observed);
      const spec = basename(expect.getState().testPath ?? '').replace(/\.e2e-spec\.ts$/, '');
      const golden = join(observedAnswersFolder, `${spec}.golden.txt`);
      mkdirSync(dirname(golden), { recursive: true });
      if (process.env['UPDATE_GOLDENS'] === '1' || !existsSync(golden)) writeFileSync(golden, text);
      expect(text).toBe(readFileSync(golden, 'utf8'));
    });
  });
};
