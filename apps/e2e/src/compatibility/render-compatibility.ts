/** Renders docs/compatibility.md from the observations. */
import type { HttpOperation } from '@tessera/contracts';
import { answerMembersOf, requestMembersOf, type DocumentedMember } from './operation-members.js';

export type ObservedGroup = {
  readonly group: 'A' | 'B' | 'C' | 'D';
  readonly title: string;
  /** Common path prefixes and their short forms in the document. */
  readonly prefix: { readonly path: string; readonly short: string };
  readonly operations: readonly HttpOperation[];
  /** What it shows of a member, a failure or an answer that no run observes -> the reason. */
  readonly reasons: Readonly<Record<string, string>>;
};

/** A line of a golden -> the names of the spec files in which it was observed. */
export type ObservedAnswers = ReadonlyMap<string, readonly string[]>;

/** What the specification calls its operations. */
const calledBySpecification: Readonly<Record<string, string>> = {
  'content.facets.list': 'A1',
  'content.views.list': 'A2',
  'content.reporting.facet': 'A3',
  'content.reporting.element': 'A4',
  'content.elements.delete': 'A5',
  'content.versions.create': 'A6',
  'tools.call': 'B1',
  'agents.tools.spec': 'C1',
  'agents.tools.execute': 'C2',
  'agents.converse': 'C3',
};

/** Markdown; links are relative to `docs/`. */
export const renderCompatibility = (groups: readonly ObservedGroup[], observed: ObservedAnswers): string =>
  [
    '# Compatibility',
    '',
    'Every operation as it was observed from outside: what the gateway answered, the members of requests that it took, and the',
    'members that its answers had, with the spec files of `apps/e2e/src` in which that happened. Made by these runs',
    '(`apps/e2e/src/compatibility`, `UPDATE_GOLDENS=1`); a test fails when something declared was not observed and no reason says',
    'why. 500 and 503 are not entered: whether they come depends on the machine.',
    ...groups.flatMap((group) => ['', ...groupLines(group, observed)]),
    '',
  ].join('\n');

const groupLines = (group: ObservedGroup, observed: ObservedAnswers): readonly string[] => [
  `## Group ${group.group}: ${group.title}`,
  '',
  `${code(group.prefix.short)} stands for ${code(group.prefix.path)}.`,
  '',
  ...sorted(group.operations).map(
    (each) => `- [${headingOf(each)}](#${anchorOf(headingOf(each))}): ${code(callOf(each, group.prefix))}`,
  ),
  ...(Object.keys(group.reasons).length > 0 ? ['', '### Not observed', ''] : []).map((line) =>
    line.replace('Not observed', `Not observed in group ${group.group}`),
  ),
  ...Object.entries(group.reasons).map(([what, reason]) => `- ${code(what)}: ${reason}`),
  ...sorted(group.operations).flatMap((each) => ['', ...section(each, group, observed)]),
];

const sorted = (operations: readonly HttpOperation[]): readonly HttpOperation[] => {
  const placeOf = ({ name }: HttpOperation): string => calledBySpecification[name] ?? 'Z';
  return operations.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
};

const headingOf = ({ name, summary }: HttpOperation): string =>
  name in calledBySpecification ? `${calledBySpecification[name]}: ${summary}` : summary;

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const callOf = ({ http }: HttpOperation, { path, short }: ObservedGroup['prefix']): string =>
  `${http.method.toUpperCase()} ${http.path.replace(path, short)}`;

const section = (operation: HttpOperation, { prefix }: ObservedGroup, observed: ObservedAnswers): readonly string[] => {
  const { name, scope } = operation;
  const seen = (line: string): string => linksTo(observed.get(line) ?? []);
  const answers = [...observed.keys()].filter((line) => line.startsWith(`${name} = `)).toSorted();
  const shown = answerMembersOf(operation).filter((member) => observed.has(`${name} < ${member.name}`));
  const row = ({ written, place, meaning }: DocumentedMember, line: string): readonly string[] => [
    code(written),
    place,
    escaped(meaning),
    seen(line) || 'no',
  ];
  return [
    `### ${headingOf(operation)}`,
    '',
    `${code(callOf(operation, prefix))}, operation ${code(name)}, scope ${code(scope)}`,
    '',
    ...table(
      ['member', 'in', 'meaning', 'taken in'],
      requestMembersOf(operation).map((member) => row(member, `${name} > ${member.name}`)),
    ),
    '',
    ...table(
      ['answer', 'observed in'],
      answers.map((line) => [line.slice(`${name} = `.length).replace(/ (\S+)$/, ' `$1`'), seen(line)]),
    ),
    '',
    `Members of the answer: ${shown.map(({ written }) => code(written)).join(', ') || 'those of the data'}.`,
  ];
};

const linksTo = (specs: readonly string[]): string =>
  specs.map((spec) => `[${spec}](../apps/e2e/src/${spec}.e2e-spec.ts)`).join(', ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

const code = (text: string): string => `\`${text}\``;
const escaped = (text: string): string => text.replaceAll(/[|<[\]]/g, '\\$&');
