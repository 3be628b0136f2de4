/** `build.mjs` on a project of its own: what is compiled, what is left alone, what goes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace/files.js';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'tessera-build-'));
  mkdirSync(join(project, 'src', 'below'), { recursive: true });
  write('one.ts', 'export const one: number = 1;\n');
  write('below/two.ts', 'export type Two = 2;\nexport const two = 2 as const;\n');
  write('one.spec.ts', 'throw new Error();\n');
  write('below/three.golden.json', '{}\n');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const write = (file: string, text: string): void => writeFileSync(join(project, 'src', file), text);
const built = (file: string): string => readFileSync(join(project, 'dist', file), 'utf8');
const isBuilt = (file: string): boolean => existsSync(join(project, 'dist', file));
const build = (): string =>
  execFileSync(process.execPath, [join(workspaceRoot, '.config', 'build.mjs')], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

it('compiles every source and no spec, copies golden JSON, and names the source in the map', () => {
  expect(build()).toMatch(/^built 3 files of 1 projects \(\d/);
  expect(built('below/three.golden.json')).toBe('{}\n');
  expect(built('one.js')).toContain('export const one = 1;');
  const map = built('below/two.js').split('base64,')[1] ?? '';
  expect(JSON.parse(Buffer.from(map, 'base64').toString())).toMatchObject({ sources: ['../../src/below/two.ts'] });
  expect(isBuilt('one.spec.js')).toBe(false);
});

it('leaves alone what was built from the same text', () => {
  build();
  expect(build()).toMatch(/^built 0 files/);
  write('one.ts', 'export const one: number = 3;\n');
  rmSync(join(project, 'dist', 'below', 'two.js'));
  expect(build()).toMatch(/^built 2 files/);
  expect(built('one.js')).toContain('export const one = 3;');
});

it('takes away what has no source any more', () => {
  build();
  rmSync(join(project, 'src', 'below'), { recursive: true });
  expect(build()).toMatch(/^built 0 files/);
  expect(isBuilt('below/two.js')).toBe(false);
});

it('says which file cannot be compiled, and tries it again', () => {
  write('one.ts', 'export const = ;\n');
  expect(build).toThrow(/one\.ts/);
  write('one.ts', 'export const one = 1;\n');
  expect(build()).toMatch(/^built 3 files/);
});

describe('pages', () => {
  beforeEach(() => {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, 'vite.config.mjs'), 'export default { build: { minify: false } };\n');
    writeFileSync(join(project, 'index.html'), '<script type="module" src="./src/one.ts"></script>\n');
    write('one.ts', "const one: string = 'first';\ndocument.title = one;\n");
  });
  const script = (): string => {
    const [name = ''] = readdirSync(join(project, 'dist', 'assets'));
    return built(join('assets', name));
  };

  it('are built by their own tool, once for the same files', () => {
    expect(build()).toMatch(/^built [1-9]\d* files of 1 projects/);
    expect(script()).toContain('"first"');
    expect(build()).toMatch(/^built 0 files/);
  });

  it('are built anew when a file has changed that is no source, and hold nothing of before', () => {
    build();
    write('one.ts', "document.title = 'second';\n");
    expect(build()).toMatch(/^built [1-9]/);
    expect(script()).toContain('"second"');
    writeFileSync(join(project, 'index.html'), '<p>nothing</p>\n');
    expect(build()).toMatch(/^built [1-9]/);
    expect(isBuilt('assets')).toBe(false);
  });

  it('that cannot be built leave what was there', () => {
    build();
    write('one.ts', 'const = ;\n');
    expect(build).toThrow(/one\.ts/);
    expect(script()).toContain('"first"');
    expect(readdirSync(project).filter((name) => name.includes('.part'))).toEqual([]);
  });
});
