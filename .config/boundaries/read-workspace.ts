/**
 * Reads the input of the boundary check: projects, their packages and imports, where each exported name of a library is
 * declared, and the operations of the contracts.
 */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { isSource, isSpec, isTest, listFiles, projectOf, readText } from '../workspace/files.js';
import { callsOf, type Import, importsOf, literalsOf, nodesOf, parse } from '../workspace/syntax.js';

export type SourceFile = {
  readonly path: string;
  readonly project: string;
  readonly isTest: boolean;
  readonly imports: readonly Import[];
  readonly literals: ReadonlySet<string>;
  /** The lines that send SQL. */
  readonly queries: readonly number[];
};

export type Project = {
  /** `libs/filter` */
  readonly folder: string;
  /** `@tessera/filter` */
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly sources: readonly SourceFile[];
};

type OperationName = { readonly owner: string; readonly name: string };

export type Workspace = {
  readonly projects: readonly Project[];
  readonly rootDependencies: Readonly<Record<string, string>>;
  /** Package name -> exported name -> the file that defines it. */
  readonly exports: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Exported name of the contracts -> the operation it declares. */
  readonly operations: ReadonlyMap<string, OperationName>;
};

type Manifest = {
  readonly name: string;
  readonly exports?: Readonly<Record<string, { readonly development?: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

const readManifest = (root: string, folder: string): Manifest =>
  JSON.parse(readText(root, posix.join(folder, 'package.json'))) as Manifest;

export const readWorkspace = (root: string): Workspace => {
  const paths = listFiles(root);
  const trees = new Map(paths.filter(isSource).map((path) => [path, parse(path, readText(root, path))]));
  const folders = [...new Set(paths.flatMap((path) => projectOf(path) ?? []))].filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  );
  const manifests = new Map(folders.map((folder) => [folder, readManifest(root, folder)]));
  return {
    projects: folders.map((folder) => readProject(folder, manifests.get(folder) ?? readManifest(root, folder), trees)),
    rootDependencies: readManifest(root, '').devDependencies ?? {},
    exports: new Map(
      [...manifests].flatMap(([folder, manifest]) =>
        Object.entries(manifest.exports ?? {}).map(([entry, { development }]) => [
          posix.join(manifest.name, entry),
          exportsOf(posix.join(folder, development ?? ''), trees),
        ]),
      ),
    ),
    operations: new Map([...trees].flatMap(([path, tree]) => (isSpec(path) ? [] : operationsOf(path, tree)))),
  };
};

const readProject = (folder: string, manifest: Manifest, trees: ReadonlyMap<string, ts.SourceFile>): Project => ({
  folder,
  name: manifest.name,
  dependencies: manifest.dependencies ?? {},
  devDependencies: manifest.devDependencies ?? {},
  sources: [...trees]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, tree]) => ({
      path,
      project: folder,
      isTest: isTest(path),
      imports: importsOf(tree),
      literals: literalsOf(tree),
      queries: callsOf(tree, 'query'),
    })),
});

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);

const declaredNames = (statement: ts.Statement): readonly string[] => {
  if (!isExported(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const named = statement as ts.Statement & { readonly name?: ts.Node };
  return named.name !== undefined && ts.isIdentifier(named.name) ? [named.name.text] : [];
};

/** Exported name -> defining file, following re-exports inside the library. */
const exportsOf = (entry: string, trees: ReadonlyMap<string, ts.SourceFile>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const statement of trees.get(entry)?.statements ?? []) {
    for (const name of declaredNames(statement)) found.set(name, entry);
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue;
    if (!ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const target = posix.join(posix.dirname(entry), statement.moduleSpecifier.text).replace(/\.js$/, '.ts');
    const clause = statement.exportClause;
    const further = exportsOf(target, trees);
    if (clause === undefined) for (const [name, file] of further) found.set(name, file);
    else if (ts.isNamedExports(clause))
      for (const { name, propertyName } of clause.elements)
        found.set(name.text, further.get((propertyName ?? name).text) ?? target);
  }
  return found;
};

const textMember = (literal: ts.ObjectLiteralExpression, name: string): string | undefined =>
  literal.properties
    .filter(ts.isPropertyAssignment)
    .filter((property) => property.name.getText() === name)
    .map((property) => property.initializer)
    .find(ts.isStringLiteral)?.text;

const declarers: ReadonlySet<string> = new Set(['operation', 'internalOperation']);

/** `export const readElement = operation({ owner: '…', name: '…', … })` of the contracts. */
const operationsOf = (path: string, tree: ts.SourceFile): readonly (readonly [string, OperationName])[] =>
  path.startsWith('libs/contracts/')
    ? nodesOf(tree).flatMap((node) => {
        if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return [];
        const call = node.initializer;
        if (!call || !ts.isCallExpression(call) || !declarers.has(call.expression.getText())) return [];
        const declared = call.arguments[0];
        if (!declared || !ts.isObjectLiteralExpression(declared)) return [];
        const owner = textMember(declared, 'owner');
        const name = textMember(declared, 'name');
        return owner && name ? [[node.name.text, { owner, name }] as const] : [];
      })
    : [];
