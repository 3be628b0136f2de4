/**
 * The hard rules of style: sizes, names, leftovers, links, nothing about one machine. A planted violation proves each
 * rule.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { environmentReaders, spreadLiteralsMax } from './allowances.mjs';
import { longest } from './jest-sequencer.mjs';
import { fileNameFaults, identifierFaults } from './tidy/names.js';
import {
  assertionCount,
  environmentFaults,
  functionFaults,
  leftoverFaults,
  lengthFaults,
  lineCount,
  linesMaxOfMost,
  ninetiethPercentile,
  spreadLiteralCount,
} from './tidy/shape.js';
import { decisionFaults, linkFaults, machineFaults, readmeFaults, unansweredFigures } from './tidy/texts.js';
import { isGenerated, isTest, listFiles, projectOf, readText, workspaceRoot } from './workspace/files.js';
import { parse } from './workspace/syntax.js';

const texts = new Map(
  listFiles(workspaceRoot)
    .filter((path) => /\.(?:tsx?|mjs|js|json|md|ya?ml|txt|toml|sh|csv|jsonl)$|(?:^|\/)[^.]+$/.test(path))
    .map((path) => [path, readText(workspaceRoot, path)]),
);
const entries = [...texts];
const code = entries.filter(
  ([path]) => /\.(?:tsx?|mjs)$/.test(path) && projectOf(path) !== undefined && !isGenerated(path),
);
const trees = code.map(([path, text]) => [path, parse(path, text)] as const);
const written = code.filter(([path]) => !path.includes('.golden.'));

const textAt = (path: string): string | undefined => {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const file = join(workspaceRoot, path);
  return existsSync(file) ? (statSync(file).isFile() ? readFileSync(file, 'utf8') : '') : undefined;
};

describe('the workspace', () => {
  it('has no file of more than 500 lines, and nine of ten of at most 250', () => {
    expect(written.flatMap(([path, text]) => lengthFaults(path, text))).toEqual([]);
    expect(ninetiethPercentile(written.map(([, text]) => lineCount(text)))).toBeLessThanOrEqual(linesMaxOfMost);
  });

  it('has no function of more than 70 lines', () => {
    expect(trees.flatMap(([path, tree]) => functionFaults(path, tree))).toEqual([]);
  });

  it('has no forbidden words in names of files and declarations', () => {
    expect(code.flatMap(([path]) => fileNameFaults(path))).toEqual([]);
    expect(trees.flatMap(([path, tree]) => identifierFaults(path, tree))).toEqual([]);
  });

  it('has no mark of unfinished work and no skipped test', () => {
    expect(code.flatMap(([path, text]) => leftoverFaults(path, text))).toEqual([]);
  });

  it('reads process.env only in configuration code', () => {
    expect(trees.flatMap(([path, tree]) => environmentFaults(path, tree, environmentReaders))).toEqual([]);
  });

  it('has no new type assertions (UPDATE_GOLDENS=1 rewrites the counts; they may only shrink)', () => {
    const golden = join(workspaceRoot, '.config', 'type-assertions.golden.txt');
    const counts = trees
      .filter(([path]) => !isTest(path))
      .flatMap(([path, tree]) => (assertionCount(tree) > 0 ? [`${assertionCount(tree)} ${path}\n`] : []))
      .join('');
    if (process.env['UPDATE_GOLDENS'] === '1' || !existsSync(golden)) writeFileSync(golden, counts);
    expect(counts).toBe(readFileSync(golden, 'utf8'));
  });

  it('has no dead links in documents', () => {
    const documents = entries.filter(([path]) => path.endsWith('.md'));
    expect(documents.flatMap(([path, text]) => linkFaults(path, text, textAt))).toEqual([]);
  });

  it('has a README of at most 100 lines', () => {
    expect(readmeFaults(texts.get('README.md') ?? '')).toEqual([]);
  });

  it('states status, date and alternatives of each decision, and lists them', () => {
    const decisions = entries.filter(([path]) => /^docs\/decisions\/\d/.test(path));
    const list = texts.get('docs/decisions/README.md') ?? '';
    expect(decisions.length).toBeGreaterThan(0);
    expect(decisions.flatMap(([path, text]) => decisionFaults(path, text, list))).toEqual([]);
  });

  it('names every figure that misses its target on the page of answers', () => {
    const [tables = '', answers = ''] = ['-tables', ''].map((part) => texts.get(`docs/performance${part}.md`));
    expect(tables).toContain('| met |');
    expect(unansweredFigures(tables, answers)).toEqual([]);
  });

  it('contains no path of one machine and no package registry', () => {
    expect(entries.flatMap(([path, text]) => machineFaults(path, text))).toEqual([]);
  });

  it('spreads no literal into another one, but where that was done before', () => {
    const byProject = Map.groupBy(trees, ([path]) => projectOf(path) ?? '');
    const faults = [...byProject].flatMap(([project, files]) => {
      const count = files.reduce((sum, [, tree]) => sum + spreadLiteralCount(tree), 0);
      const max = spreadLiteralsMax[project] ?? 0;
      return count > max ? [`${project} spreads ${count} literals into others; ${max} are allowed`] : [];
    });
    expect(faults).toEqual([]);
  });

  it('orders spec files that exist', () => {
    const specs = [...texts.keys()].filter(isTest);
    expect(longest.filter((name) => !specs.some((path) => path.includes(name)))).toEqual([]);
  });
});

describe('a planted violation is reported', () => {
  const long = (lines: number): string => 'x;\n'.repeat(lines);
  const tree = (text: string) => parse('libs/x/src/x.ts', text);

  it('of file length', () => {
    expect(lengthFaults('x.ts', long(501))).toEqual(['x.ts:501 is longer than 500 lines (501)']);
    expect(lengthFaults('x.ts', long(500))).toEqual([]);
    expect(ninetiethPercentile([1, 2, 3, 4, 5, 6, 7, 8, 300, 400])).toBe(300);
  });

  it('of function length, except in a describe', () => {
    const body = (lines: number): string => `{\n${long(lines)}}`;
    expect(functionFaults('x.ts', tree(`\nconst f = () => ${body(69)};`))).toEqual([
      'x.ts:2 a function of 71 lines; 70 are allowed',
    ]);
    expect(functionFaults('x.ts', tree(`const sql = () => \`\n${long(90)}\`;`))).toEqual([]);
    expect(functionFaults('x.ts', tree(`const f = () => ${body(68)}; describe('x', () => ${body(90)});`))).toEqual([]);
  });

  it('of names', () => {
    expect(fileNameFaults('apps/console/src/routes/processes/$processId.tsx')).toEqual([]);
    expect(fileNameFaults('apps/console/src/routes/-search.ts')).toEqual([]);
    expect(fileNameFaults('apps/console/src/ui/$button.tsx')).toHaveLength(1);
    expect(fileNameFaults('apps/console/src/ui/Button.tsx')).toHaveLength(1);
    expect(fileNameFaults('libs/x/src/planQuery.ts')).toHaveLength(1);
    expect(fileNameFaults('libs/x/src/plan.service.ts')).toHaveLength(1);
    expect(fileNameFaults('libs/x/src/utils/plan.ts')).toHaveLength(1);
    expect(fileNameFaults('libs/x/src/plan-query.int-spec.ts')).toEqual([]);
    expect(identifierFaults('x.ts', tree('const keyManager = 1;\nclass PlanV2 {}\nfunction f(queryInfo) {}'))).toEqual([
      'x.ts:1 keyManager has the word "manager" in its name',
      'x.ts:2 PlanV2 has the word "v2" in its name',
      'x.ts:3 queryInfo has the word "info" in its name',
    ]);
    expect(identifierFaults('x.ts', tree('const database = { info: 1 };'))).toEqual([]);
  });

  it('of leftovers', () => {
    expect(leftoverFaults('x.ts', `\n// FIX${'ME'} later`)).toEqual(['x.ts:2 has a mark of unfinished work']);
    expect(leftoverFaults('x.spec.ts', `it.${'only'}('x', f);\nx${'it'}('y', f);`)).toHaveLength(2);
  });

  it('of an environment read', () => {
    const text = `const a = process.env['A'];\nconst { env } = process['env'];`;
    expect(environmentFaults('apps/x/src/x.ts', tree(text), [])).toHaveLength(2);
    expect(environmentFaults('apps/x/src/x.ts', tree(text), ['apps/x/'])).toEqual([]);
  });

  it('of a type assertion', () => {
    expect(assertionCount(tree('const a = b as C; const d = [1] as const;'))).toBe(1);
  });

  it('of a literal that is spread', () => {
    const text = 'f({ ...{ a, b: 1 }, ...(c && { d }), ...e, ...[1] }); g({ ...(isX ? { y } : {}) });';
    expect(spreadLiteralCount(tree(text))).toBe(1);
  });

  it('of a link', () => {
    const documents: Readonly<Record<string, string>> = { 'docs/a.md': '# One thing', docs: '' };
    const faults = linkFaults(
      'docs/b.md',
      '[x](a.md#one-thing) [y](a.md#two) [z](c.md)\n`[q](r)`',
      (path) => documents[path],
    );
    expect(faults).toEqual(['docs/b.md:1 the link a.md#two leads nowhere', 'docs/b.md:1 the link c.md leads nowhere']);
  });

  it('of a README that is too long', () => {
    expect(readmeFaults('x\n'.repeat(100))).toEqual([]);
    expect(readmeFaults('x\n'.repeat(101))).toEqual(['README.md has 101 lines; 100 are allowed']);
  });

  it('of a decision', () => {
    const lines = '- **Status:** accepted\n- **Date:** 2026-01-02\n';
    const whole = `# 7. One thing\n\n${lines}\n## Alternatives considered\n\n- None.\n`;
    const list = '|  7 | [One thing](0007-x.md)  | accepted | 2026-01-02 |';
    expect(decisionFaults('docs/decisions/0007-x.md', whole, list)).toEqual([]);
    const superseded = whole.replace('accepted', 'superseded by [8](0008-y.md)');
    expect(decisionFaults('a/0007-x.md', superseded, list.replace('accepted', 'superseded by [8](0008-y.md)'))).toEqual(
      [],
    );
    expect(decisionFaults('a/0007-x.md', whole, '')).toEqual([
      'a/0007-x.md has no line with its title, status and date in the list',
    ]);
    expect(decisionFaults('a/0007-x.md', '# 8. One thing\n', '')).toEqual([
      'a/0007-x.md has no title that begins with its number',
      'a/0007-x.md has no status, accepted or superseded by a decision',
      'a/0007-x.md has no date',
      'a/0007-x.md names no alternatives',
    ]);
  });

  it('of a figure without an answer', () => {
    const tables = '| figure | target | met |\n| --- | --- | --- |\n| a: rate | 1 | yes |\n| b: rate | 2 | NO  |\n';
    expect(unansweredFigures(tables, 'b: rate is low')).toEqual([]);
    expect(unansweredFigures(tables, 'a: rate')).toEqual(['b: rate']);
  });

  it('of a machine path', () => {
    const traces = [
      'https://registry.' + 'example.com/zod',
      'see /home' + '/someone/x',
      'GET /a/home/b',
      'registry.metrics()',
    ];
    expect(machineFaults('x.md', traces.join('\n'))).toEqual([
      'x.md:1 names a package registry',
      'x.md:2 has a path of one machine',
    ]);
  });
});
