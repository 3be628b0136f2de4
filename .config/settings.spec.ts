/** Every setting is described and documented in docs/configuration.md, and no program reads an unlisted variable. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { z } from 'zod';
import { cliSettingDescriptions as cliSettings } from '../apps/cli/src/settings.js';
import { settingDescriptions as launcherSettings } from '../apps/launcher/src/settings.js';
import { describedSettings } from './settings/described.js';
import { renderConfiguration, type Program } from './settings/render.js';
import { serviceSchemas } from './settings/service-schemas.js';
import { isSource, isTest, listFiles, readText, workspaceRoot } from './workspace/files.js';
import { parse, nodesOf } from './workspace/syntax.js';

const environments = /(?:^|\.)(?:env|environment)$|\['env'\]$/;
const variableName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

type EnvironmentReads = {
  readonly names: readonly string[];
  /** Whether a name is put together or handed on. */
  readonly isDynamic: boolean;
};

const isRead = (node: ts.Node): node is ts.ElementAccessExpression | ts.PropertyAccessExpression =>
  (ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node)) &&
  environments.test(node.expression.getText());

const environmentReads = (tree: ts.SourceFile): EnvironmentReads => {
  const reads = nodesOf(tree).filter(isRead);
  const named = reads.flatMap((node) => {
    if (ts.isPropertyAccessExpression(node)) return variableName.test(node.name.text) ? [node.name.text] : [];
    return ts.isStringLiteral(node.argumentExpression) ? [node.argumentExpression.text] : [];
  });
  const isDynamic = reads.some(
    (node) => ts.isElementAccessExpression(node) && !ts.isStringLiteral(node.argumentExpression),
  );
  return { names: [...new Set(named)], isDynamic };
};

const services: readonly Program[] = Object.entries(serviceSchemas).map(([name, schema]) => ({
  name,
  settings: describedSettings(schema),
}));
const others: readonly Program[] = [
  { name: 'tessera (command line)', settings: cliSettings },
  { name: 'npm start (launcher)', settings: launcherSettings },
];

/** They take a name by parameter; the schemas, or the list of their program, say which there are. */
const readByParameter = [
  'libs/service-kit/src/configuration.ts',
  'apps/cli/src/configuration.ts',
  'apps/cli/src/operations/database-variables.ts',
];
/** What only those read who work on the product; and pages, whose `env` is of the build. */
const notOfServices = /^(?:\.config|apps\/console|apps\/bench|apps\/e2e|libs\/testing)\//;

const files = listFiles(workspaceRoot).filter((path) => isSource(path) && !isTest(path) && !notOfServices.test(path));
const reads = files.map((path) => ({ path, ...environmentReads(parse(path, readText(workspaceRoot, path))) }));

describe('the settings', () => {
  it('match docs/configuration.md (UPDATE_GOLDENS=1 rewrites it)', () => {
    const document = join(workspaceRoot, 'docs', 'configuration.md');
    const text = renderConfiguration(services, others);
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(document, text);
    expect(readFileSync(document, 'utf8')).toBe(text);
  });

  it('include every variable that code reads', () => {
    const listed = new Set([...services, ...others].flatMap(({ settings }) => settings.map(({ name }) => name)));
    const unlisted = reads.flatMap(({ path, names }) =>
      names.filter((name) => !listed.has(name)).map((name) => `${path} reads ${name}`),
    );
    expect(unlisted).toEqual([]);
    expect(reads.filter(({ isDynamic }) => isDynamic).map(({ path }) => path)).toEqual(readByParameter.toSorted());
  });

  it('include no variable that no program reads', () => {
    const textOf = (folders: RegExp): string =>
      files
        .filter((path) => folders.test(path))
        .map((path) => readText(workspaceRoot, path))
        .join('\n');
    const unread = ({ settings }: Program, text: string): readonly string[] =>
      settings.filter(({ name }) => text.split(name).length < 3).map(({ name }) => name);
    const [cli, launcher] = others;
    const computed = cliSettings.filter(({ name }) => name.startsWith('DATABASE_PASSWORD_')).map(({ name }) => name);
    expect(cli && unread(cli, textOf(/^apps\/cli\/src\//))).toEqual(computed);
    expect(launcher && unread(launcher, textOf(/^apps\/launcher\/src\/|^libs\/local-stack\/src\//))).toEqual([]);
  });

  it('state which of them are secret', () => {
    const secrets = services.flatMap(({ settings }) =>
      settings.filter(({ isSecret }) => isSecret).map(({ name }) => name),
    );
    expect([...new Set(secrets)].toSorted()).toEqual([
      'COLUMNAR_STORE_SECRET_ACCESS_KEY',
      'COLUMNAR_STORE_SIGNING_SECRET',
      'COLUMNAR_URL',
      'DATABASE_URL',
      'EXTERNAL_DATABASES',
      'JWT_SECRET',
      'MODEL_HOSTS',
      'NATS_URL',
      'SSO_CLIENT_SECRET',
      'TOOL_SECRETS',
    ]);
  });
});

describe('a planted gap is reported', () => {
  it('for a setting without a description', () => {
    expect(() => describedSettings(z.object({ A: z.string('a text') }))).toThrow('A does not say what it means');
    expect(() => describedSettings(z.object({ A: z.string().describe('A.') }))).toThrow('A does not say');
    expect(describedSettings(z.object({ A: z.string('a text').default('b').describe('A.') }))).toEqual([
      { name: 'A', means: 'A.', expected: 'a text', isSecret: false, preset: 'b', isRequired: false },
    ]);
  });

  it('for an unlisted variable', () => {
    const tree = parse(
      'x.ts',
      `a(process.env['ONE'], environment['TWO'], process.env.THREE, x.environment['FOUR'], other['FIVE'], process['env']['SIX'])`,
    );
    expect(environmentReads(tree)).toEqual({ names: ['ONE', 'TWO', 'THREE', 'FOUR', 'SIX'], isDynamic: false });
    expect(environmentReads(parse('x.ts', 'environment[name]')).isDynamic).toBe(true);
  });
});
