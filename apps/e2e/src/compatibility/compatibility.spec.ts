/** Everything that a group promises is proved by a test that is there, and the document says which. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkout } from '../product.js';
import { proofsOfGroupA, provenGroupA } from './group-a-proofs.js';
import { proofsOfGroupB, provenGroupB } from './group-b-proofs.js';
import { proofsOfGroupC, provenGroupC } from './group-c-proofs.js';
import { proofsOfGroupD, provenGroupD } from './group-d-proofs.js';
import { none, type OperationProofs, type Proof } from './proof.js';
import { renderCompatibility, type GroupProofs, type ProvenOperation } from './render-compatibility.js';
import { membersOf } from './request-members.js';
import { testsIn } from './spec-titles.js';

const groups: readonly (readonly [string, GroupProofs, Readonly<Record<string, OperationProofs>>])[] = [
  ['A', provenGroupA, proofsOfGroupA],
  ['B', provenGroupB, proofsOfGroupB],
  ['C', provenGroupC, proofsOfGroupC],
  ['D', provenGroupD, proofsOfGroupD],
];

/** What is declared and has no proof, of its own or of all operations. */
const unproved = ({ operation, proofs }: ProvenOperation, all: OperationProofs): readonly string[] => {
  const isProved = (kind: 'members' | 'failures') => (name: string) =>
    [...(proofs[kind][name] ?? []), ...(all[kind][name] ?? [])].length > 0;
  const members = membersOf(operation).map(({ name }) => name);
  return [
    ...members.filter((name) => !isProved('members')(name)),
    ...operation.failures.filter((name) => !isProved('failures')(name)),
    ...(proofs.success.length > 0 ? [] : ['200']),
  ].map((what) => `${operation.name}: ${what}`);
};

/** What the table has and no operation declares. */
const undeclared = ({ operation, proofs }: ProvenOperation): readonly string[] => {
  const declared = [...membersOf(operation).map(({ name }) => name), ...operation.failures.map(String)];
  return [...Object.keys(proofs.members), ...Object.keys(proofs.failures)]
    .filter((name) => !declared.includes(name))
    .map((name) => `${operation.name}: ${name}`);
};

const titles = new Map<string, readonly string[]>();
const isThere = ({ file, title }: Proof): boolean => {
  const path = join(checkout, file);
  if (!existsSync(path)) return false;
  const known = titles.get(file) ?? testsIn(file, readFileSync(path, 'utf8'));
  titles.set(file, known);
  return known.filter((each) => each === title).length === 1;
};
const proofsIn = ({ success, members, failures }: OperationProofs): readonly Proof[] =>
  [success, ...Object.values(members), ...Object.values(failures)].flat();

describe('the proofs of compatibility', () => {
  it.each(groups)(
    'name a test for every operation of group %s, every member of its request and every declared answer',
    (_, { operations, all }) => {
      expect(operations.flatMap((each) => unproved(each, all))).toEqual([]);
    },
  );

  it.each(groups)('of group %s name nothing that is not declared', (_, { operations }, proofsOf) => {
    expect(operations.flatMap(undeclared)).toEqual([]);
    const names = operations.map(({ operation }) => operation.name);
    expect(Object.keys(proofsOf).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(groups)(
    'of group %s are tests that are there, each once, and not left out',
    (_, { operations, all, way }) => {
      const own = [...operations.map(({ proofs }) => proofs), all].flatMap(proofsIn);
      const proofs = [...own, ...Object.values(way).flat()];
      expect(proofs.filter((proof) => !isThere(proof))).toEqual([]);
      expect(proofs.length).toBeGreaterThan(operations.length * 5);
    },
  );

  it('are what docs/compatibility.md says (UPDATE_GOLDENS=1 writes it anew)', () => {
    const document = join(checkout, 'docs', 'compatibility.md');
    const text = renderCompatibility(groups.map(([, group]) => group));
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(document, text);
    expect(text).toBe(readFileSync(document, 'utf8'));
  });
});

describe('a planted gap is noticed', () => {
  const { operations, all } = provenGroupA;
  const [first] = operations;
  if (!first) throw new Error('Group A has no operation.');

  it('of a member, a failure and an answer without a proof', () => {
    const gaps = unproved({ ...first, proofs: none }, all);
    expect(gaps).toEqual([`${first.operation.name}: acceptLanguage`, `${first.operation.name}: 200`]);
    const body = operations.find(({ operation }) => operation.http.body !== undefined);
    expect(body && unproved({ ...body, proofs: none }, all)).toEqual(
      expect.arrayContaining([
        'content.elements.write: ifMatch',
        'content.elements.write: elements[].content[].creationId',
        'content.elements.write: CONTENT_CHANGED',
      ]),
    );
  });

  it('of a member that is declared no more', () => {
    const proofs = { ...first.proofs, members: { ...first.proofs.members, colour: [] } };
    expect(undeclared({ ...first, proofs })).toEqual([`${first.operation.name}: colour`]);
  });

  it('of a test that is renamed, moved or left out', () => {
    const left = 'skip';
    const text = `describe('a', () => { it('b', f); it.each([1])('c %s', f); it.${left}('d', f); x${'it'}('e', f);
      describe.${left}('f', () => { it('g', f); }); }); it('h', f);`;
    expect(testsIn('x.spec.ts', text)).toEqual(['a b', 'a c %s', 'h']);
    expect(isThere({ file: 'apps/e2e/src/nowhere.e2e-spec.ts', title: 'a b' })).toBe(false);
    expect(isThere({ file: 'apps/e2e/src/reads.e2e-spec.ts', title: 'a b' })).toBe(false);
  });
});
