/** The table of proofs as a document. Refuses: to judge whether anything is missing (the spec does). */
import { failureCatalogue } from '@tessera/failures';
import type { HttpOperation } from '@tessera/contracts';
import type { OperationProofs, Proof } from './proof.js';
import { membersOf, type RequestMember } from './request-members.js';

export type ProvenOperation = { readonly operation: HttpOperation; readonly proofs: OperationProofs };

/** What one group of interfaces promises. */
export type GroupProofs = {
  readonly group: 'A' | 'B' | 'C' | 'D';
  readonly title: string;
  /** What every path begins with, and what stands for it here. */
  readonly prefix: { readonly path: string; readonly short: string };
  readonly operations: readonly ProvenOperation[];
  readonly all: OperationProofs;
  readonly way: Readonly<Record<string, readonly Proof[]>>;
};

/** Markdown; links are relative to `docs/`. */
export const renderCompatibility = (groups: readonly GroupProofs[]): string =>
  [
    '# Compatibility',
    '',
    'Every operation, every member of its request, every answer that it declares, and the tests that prove them.',
    'This file is generated from `apps/e2e/src/compatibility`; a test compares the two and fails when something has no',
    'proof, or when a proof is not there any more. A proof is named as `jest -t` takes it; `%s` stands for each case.',
    ...groups.flatMap((each) => ['', ...groupLines(each)]),
    '',
  ].join('\n');

const groupLines = (proven: GroupProofs): readonly string[] => {
  const { group, title, prefix, operations, all, way } = proven;
  return [
    `## Group ${group}: ${title}`,
    '',
    `${code(prefix.short)} stands for ${code(prefix.path)}.`,
    '',
    ...contents(proven),
    '',
    `### ${ofEvery(group)}`,
    '',
    'These tests go over all operations that the contracts declare, so they are named here once.',
    '',
    ...table(
      ['what', 'proof'],
      [
        ...Object.entries(all.members).map(([name, proofs]) => [code(writtenOf(operations, name)), listOf(proofs)]),
        ...(all.success.length > 0 ? [['200', listOf(all.success)]] : []),
        ...Object.entries(all.failures).map(([name, proofs]) => [failureText(name), listOf(proofs)]),
      ],
    ),
    '',
    `#### On the way of every request of group ${group}`,
    '',
    ...table(
      ['what', 'proof'],
      Object.entries(way).map(([what, proofs]) => [what, listOf(proofs)]),
    ),
    ...operations.flatMap((each) => ['', ...section(each, proven)]),
  ];
};

const ofEvery = (group: string): string => `For every operation of group ${group}`;

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const headingOf = ({ operation: { summary }, proofs: { called } }: ProvenOperation): string =>
  called === undefined ? summary : `${called}: ${summary}`;

const callOf = ({ http }: HttpOperation, { path, short }: GroupProofs['prefix']): string =>
  `${http.method.toUpperCase()} ${http.path.replace(path, short)}`;

const contents = ({ operations, prefix }: GroupProofs): readonly string[] =>
  operations.map(
    (each) => `- [${headingOf(each)}](#${anchorOf(headingOf(each))}): ${code(callOf(each.operation, prefix))}`,
  );

const section = (proven: ProvenOperation, of: GroupProofs): readonly string[] => {
  const { operation, proofs } = proven;
  const proofText = (own: readonly Proof[] = [], ofAll: readonly Proof[] = []): string =>
    [
      ...(own.length > 0 ? [listOf(own)] : []),
      ...(ofAll.length > 0 ? [`[every operation](#${anchorOf(ofEvery(of.group))})`] : []),
    ].join('<br>');
  const memberRow = ({ name, written, place, meaning }: RequestMember): readonly string[] => [
    code(written),
    place,
    escaped(meaning),
    proofText(proofs.members[name], of.all.members[name]),
  ];
  return [
    `### ${headingOf(proven)}`,
    '',
    `${code(callOf(operation, of.prefix))}, operation ${code(operation.name)}, scope ${code(operation.scope)}`,
    '',
    ...table(['member', 'in', 'meaning', 'proof'], membersOf(operation).map(memberRow)),
    '',
    ...table(
      ['answer', 'proof'],
      [
        ['200', listOf(proofs.success)],
        ...operation.failures.map((name) => [
          failureText(name),
          proofText(proofs.failures[name], of.all.failures[name]),
        ]),
      ],
    ),
  ];
};

const listOf = (proofs: readonly Proof[]): string =>
  proofs.map(({ file, title }) => `[${file.split('/').at(-1)}](../${file}): ${escaped(title)}`).join('<br>');

const failureText = (name: string): string => {
  const known = Object.entries(failureCatalogue).find(([failure]) => failure === name)?.[1];
  return `${known?.status} ${code(name)}`;
};

const writtenOf = (operations: readonly ProvenOperation[], name: string): string =>
  operations.flatMap(({ operation }) => membersOf(operation)).find((member) => member.name === name)?.written ?? name;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

const code = (text: string): string => `\`${text}\``;
const escaped = (text: string): string => text.replaceAll(/[|<[\]]/g, '\\$&');
