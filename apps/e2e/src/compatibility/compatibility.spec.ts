/**
 * Everything that the groups of interfaces promise was observed, or has a reason. docs/compatibility.md is made of it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { HttpOperation } from '@tessera/contracts';
import { agentsPrefix } from '@tessera/contracts/agents';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { contentOperations } from '../group-a.js';
import { knowledgeModelOperations } from '../group-d.js';
import { checkoutFolder } from '../product.js';
import { unobservedAnswerMembers, unobservedFailureCodes, unobservedRequestMembers } from './not-observed.js';
import { answerMembersOf, toolOperations, agentOperations, requestMembersOf } from './operation-members.js';
import { toObservationLines, observedAnswersFolder, parseObservationLines } from './record-answers.js';
import { renderCompatibility, type ObservedAnswers, type ObservedGroup } from './render-compatibility.js';

const observed = new Map<string, readonly string[]>();
for (const file of readdirSync(observedAnswersFolder).toSorted())
  for (const line of parseObservationLines(readFileSync(join(observedAnswersFolder, file), 'utf8')))
    observed.set(line, [...(observed.get(line) ?? []), file.replace('.golden.txt', '')]);

const groups: readonly ObservedGroup[] = (
  [
    ['A', 'the content repository', '/{collectionId}/{storageId}/_api/rest', 'P', contentOperations],
    ['B', 'agent tools', mcpPrefix, 'T', toolOperations],
    ['C', 'agents', agentsPrefix, 'G', agentOperations],
    ['D', 'knowledge models', '/intelligence/api/knowledge-models', 'M', knowledgeModelOperations],
  ] as const
).map(([group, title, path, short, operations]) => ({
  ...{ group, title, prefix: { path, short }, operations },
  reasons: {
    ...unobservedFailureCodes[group],
    ...unobservedAnswerMembers[group],
    ...Object.fromEntries(
      Object.entries(unobservedRequestMembers).filter(([what]) =>
        operations.some(({ name }) => what.startsWith(`${name} `)),
      ),
    ),
  },
}));

/** The last name of a path: lists of one interface have the same members under several names. */
const leafOf = (path: string): string => path.replace(/^.*\./, '').replaceAll('[]', '');

const missing = ({ group, operations }: ObservedGroup, lines: ObservedAnswers): readonly string[] => {
  const seen = [...lines.keys()].filter((line) => operations.some(({ name }) => line.startsWith(`${name} `)));
  const rendered = new Set(
    seen.filter((line) => line.includes(' < ')).map((line) => leafOf(line.split(' < ')[1] ?? '')),
  );
  const isSeen = (name: string, code: string) =>
    seen.some((line) => line.startsWith(`${name} = `) && line.endsWith(code));
  const failures = new Set(operations.flatMap((operation) => operation.failures));
  return [
    ...operations.filter(({ name }) => !seen.some((line) => line.startsWith(`${name} = 2`))).map(({ name }) => name),
    ...operations.flatMap((operation) => missingMembers(operation, lines)),
    ...[...new Set(operations.flatMap((each) => answerMembersOf(each).map(({ name }) => leafOf(name))))]
      .filter((name) => !rendered.has(name) && !(name in unobservedAnswerMembers[group]))
      .map((name) => `${group} < ${name}`),
    ...[...failures]
      .filter(
        (code) => !operations.some(({ name }) => isSeen(name, ` ${code}`)) && !(code in unobservedFailureCodes[group]),
      )
      .map((code) => `${group} = ${code}`),
  ];
};

const missingMembers = (operation: HttpOperation, lines: ObservedAnswers): readonly string[] =>
  requestMembersOf(operation)
    .filter(
      ({ name }) =>
        !lines.has(`${operation.name} > ${name}`) && !(`${operation.name} ${name}` in unobservedRequestMembers),
    )
    .map(({ name }) => `${operation.name} > ${name}`);

describe('the observed answers', () => {
  it.each(groups.map((group) => [group.group, group] as const))(
    'of the operation group %s cover every operation, every member of its requests and answers, and every failure',
    (_, group) => {
      expect(missing(group, observed)).toEqual([]);
    },
  );

  it('include nothing that is listed as unobserved', () => {
    const needless = [
      ...Object.keys(unobservedRequestMembers).filter((what) => observed.has(what.replace(' ', ' > '))),
      ...groups.flatMap(({ group, operations }) =>
        Object.keys(unobservedFailureCodes[group]).filter((code) =>
          [...observed.keys()].some(
            (line) => line.endsWith(` ${code}`) && operations.some(({ name }) => line.startsWith(name)),
          ),
        ),
      ),
    ];
    expect(needless).toEqual([]);
  });

  it('match docs/compatibility.md (UPDATE_GOLDENS=1 rewrites it)', () => {
    const document = join(checkoutFolder, 'docs', 'compatibility.md');
    const text = renderCompatibility(groups, observed);
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(document, text);
    expect(text).toBe(readFileSync(document, 'utf8'));
  });
});

describe('a removed observation is reported as missing', () => {
  const [group] = groups;
  const without = (pattern: RegExp): readonly string[] =>
    group ? missing(group, new Map([...observed].filter(([line]) => !pattern.test(line)))) : [];

  it('for an operation, a request member, an answer member and a failure', () => {
    expect(without(/^content\.facets\.list = 2/)).toEqual(['content.facets.list']);
    expect(without(/^content\.elements\.write > ifMatch$/)).toEqual(['content.elements.write > ifMatch']);
    expect(without(/ < .*expandUri$/)).toEqual(['A < expandUri']);
    expect(without(/ CONTENT_NOTFOUND$/)).toEqual(['A = CONTENT_NOTFOUND']);
  });
});

describe('the recorded observations of an answer', () => {
  const path = 'http://127.0.0.1/trial/writes/_api/rest/facets';
  const sent = new Request(`${path}?api-version=4.0`, { headers: { 'accept-language': 'de' } });

  it('contain its operation, its status and the members of request and answer', () => {
    expect(toObservationLines(sent, '', 200, '{"count":1,"values":[{"name":"a","other":1}]}')).toEqual([
      'content.facets.list = 200',
      ...['collectionId', 'storageId', 'apiVersion', 'acceptLanguage'].map((name) => `content.facets.list > ${name}`),
      ...['count', 'values', 'values[].name'].map((name) => `content.facets.list < ${name}`),
    ]);
  });

  it('contain the failure code, and no members of a refused request', () => {
    const refusal = '{"message":"x","data":{"error":"CONTENT_NOTFOUND"}}';
    expect(toObservationLines(sent, '', 404, refusal)).toEqual(['content.facets.list = 404 CONTENT_NOTFOUND']);
    expect(toObservationLines(sent, '', 503, '')).toEqual([]);
    expect(toObservationLines(new Request('http://127.0.0.1/health/live'), '', 200, '{}')).toEqual([]);
  });
});
