/** The linter finds a planted fault of every kind that matters, types included, and nothing in the same code without it. */
import { beforeAll, afterAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const faulty: Readonly<Record<string, string>> = {
  TS2322: 'export const count: number = String(1);',
  TS2532: 'export const first = (names: readonly string[]): string => names[0].trim();',
  TS1484: "import { PathLike } from 'node:fs';\nexport type Found = PathLike;",
  'typescript(no-floating-promises)': 'export const start = (): void => {\n  Promise.resolve();\n};',
  'typescript(no-misused-promises)': '[1].forEach(async () => {\n  await Promise.resolve();\n});',
  'typescript(await-thenable)': 'export const value = await 1;',
  'typescript(no-explicit-any)': 'export const take = (value: any): boolean => value === 1;',
  'typescript(no-unsafe-assignment)': "export const read: string = JSON.parse('1');",
  'typescript(no-unsafe-member-access)': "export const text = String(JSON.parse('{}').a);",
  'typescript(no-unsafe-call)': "JSON.parse('1')();",
  'typescript(no-unsafe-argument)': "export const number = Number.parseInt(JSON.parse('1'));",
  'typescript(no-unsafe-return)': "export const read = (): string => JSON.parse('1');",
  'typescript(no-non-null-assertion)': "export const found = ['a'].find(Boolean)!;",
  'typescript(no-unnecessary-type-assertion)': "const name: string = 'a';\nexport const same = name as string;",
  'typescript(no-base-to-string)': 'export const text = (value: object): string => String(value);',
  'typescript(only-throw-error)': "export const fail = (): never => {\n  throw 'a';\n};",
  'typescript(prefer-promise-reject-errors)': "export const failed = Promise.reject('a');",
  'typescript(restrict-plus-operands)':
    'export const text = (values: readonly number[]): string => values + String(1);',
  'typescript(restrict-template-expressions)': 'export const text = (value: object): string => `${value}`;',
  'typescript(prefer-readonly)': 'export class Held {\n  private held = 1;\n  get = (): number => this.held;\n}',
  'typescript(switch-exhaustiveness-check)':
    "export const name = (of: 'a' | 'b'): void => {\n  switch (of) {\n    case 'a':\n      break;\n  }\n};",
  'typescript(ban-ts-comment)': '// @ts-ignore\nexport const one = 1;',
  'eslint(eqeqeq)': 'export const isOne = (value: unknown): boolean => value == 1;',
  'eslint(no-param-reassign)': 'export const add = (value: number): number => {\n  value += 1;\n  return value;\n};',
  'eslint(no-unused-vars)': 'const unused = 1;',
  'eslint(no-empty)': 'if (Math.random() > 1) {\n}',
  'eslint(prefer-const)': 'let one = 1;\nexport const two = one + one;',
  'tessera(data-is-type)': 'export interface Data {\n  readonly a: string;\n}',
  'tessera(no-console)': "console.log('a');",
  'tessera(no-default-export)': 'const one = 1;\nexport default one;',
  'tessera(no-process-env)': "export const home = process.env['HOME'];",
  'tessera(type-imports)': "import { Stats } from 'node:fs';\nexport type Found = Stats;",
  'tessera(inject-values)':
    "import type { Stats } from 'node:fs';\n@Injectable()\nexport class Held {\n  constructor(readonly stats: Stats) {}\n}\n" +
    'function Injectable(): ClassDecorator {\n  return () => undefined;\n}',
};
/** In the console, by what is found. */
const faultyPages: Readonly<Record<string, string>> = {
  'eslint(no-restricted-globals)': "export const read = () => fetch('/me');",
  'react(no-danger)':
    'export const Raw = ({ html }: { html: string }) => <p dangerouslySetInnerHTML={{ __html: html }} />;',
  'react-hooks(rules-of-hooks)':
    "import { useState } from 'react';\nexport const Page = ({ isOpen }: { isOpen: boolean }) => {\n  if (isOpen) useState(1);\n  return null;\n};",
  'jsx-a11y(alt-text)': 'export const Picture = () => <img src="a.png" />;',
};
const clean =
  "import { statSync, type Stats } from 'node:fs';\nexport const find = (path: string): Stats => statSync(path);";

type Diagnostic = { readonly code: string; readonly filename: string };
let found: ReadonlyMap<string, readonly Diagnostic[]>;
const folder = mkdtempSync(join(tmpdir(), 'tessera-lint-'));

beforeAll(async () => {
  const extended = join(root, 'tsconfig.base.json');
  const compilerOptions = { typeRoots: [join(root, 'node_modules', '@types')] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: extended, compilerOptions, include: ['*.ts'] }),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'clean.ts'), clean);
  Object.values(faulty).forEach((code, at) => writeFileSync(join(folder, `fault-${at}.ts`), `${code}\nexport {};\n`));
  const pages = join(folder, 'apps', 'console', 'src');
  mkdirSync(pages, { recursive: true });
  Object.values(faultyPages).forEach((code, at) => writeFileSync(join(pages, `page-${at}.tsx`), code));
  const parameters = [
    '--type-aware',
    '--type-check',
    '-c',
    join(root, '.config', 'oxlint.jsonc'),
    '-f',
    'json',
    folder,
  ];
  const output = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [join(root, 'node_modules', 'oxlint', 'bin', 'oxlint'), ...parameters],
      { cwd: root, maxBuffer: 100_000_000 },
      (_error, stdout) => resolve(stdout),
    ),
  );
  const { diagnostics } = JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] };
  found = Map.groupBy(diagnostics, ({ filename }) => basename(filename));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(Object.keys(faulty))('finds %s', (rule) => {
  const codes = found.get(`fault-${Object.keys(faulty).indexOf(rule)}.ts`)?.map(({ code }) => code);
  expect(codes).toContain(rule.startsWith('TS') ? `typescript(${rule})` : rule);
});

it.each(Object.keys(faultyPages))('finds %s in the console', (rule) => {
  const codes = found.get(`page-${Object.keys(faultyPages).indexOf(rule)}.tsx`)?.map(({ code }) => code);
  expect(codes).toContain(rule);
});

it('says nothing about code without a fault', () => {
  expect(found.get('clean.ts')).toBeUndefined();
});
