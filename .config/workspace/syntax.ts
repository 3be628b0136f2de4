/**
 * Reads what the checks need from one syntax tree. Nothing is resolved, so that the whole workspace is read in a
 * second.
 */
import ts from 'typescript';

export type Import = {
  readonly specifier: string;
  /** The imported names in the exporter's spelling; `*` for a namespace, a default or a bare import. */
  readonly names: readonly string[];
  /** Gone at run time. */
  readonly typeOnly: boolean;
  /** From 1. */
  readonly line: number;
};

export const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.ESNext,
    true,
    path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

/** From 1. */
export const lineOf = (source: ts.SourceFile, node: ts.Node): number =>
  source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

/** Every node, parents first. */
export const nodesOf = (root: ts.Node): readonly ts.Node[] => {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
};

const namesOf = (clause: ts.ImportClause | undefined): readonly string[] => {
  const bindings = clause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return ['*'];
  const named = bindings.elements.map((element) => (element.propertyName ?? element.name).text);
  return clause?.name === undefined ? named : ['*', ...named];
};

const exportedNamesOf = (clause: ts.NamedExportBindings | undefined): readonly string[] =>
  clause !== undefined && ts.isNamedExports(clause)
    ? clause.elements.map((element) => (element.propertyName ?? element.name).text)
    : ['*'];

const isTypeOnly = (node: ts.Node): boolean =>
  ts.isImportTypeNode(node) ||
  (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
  (ts.isExportDeclaration(node) && node.isTypeOnly);

const importOf = (source: ts.SourceFile, node: ts.Node): Import | undefined => {
  const at = (specifier: ts.Node, names: readonly string[]): Import | undefined =>
    ts.isStringLiteral(specifier)
      ? { specifier: specifier.text, names, typeOnly: isTypeOnly(node), line: lineOf(source, node) }
      : undefined;
  if (ts.isImportDeclaration(node)) return at(node.moduleSpecifier, namesOf(node.importClause));
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return at(node.moduleSpecifier, exportedNamesOf(node.exportClause));
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0])
    return at(node.arguments[0], ['*']);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return at(node.argument.literal, ['*']);
  return undefined;
};

/** Imports and re-exports of every form: static, dynamic, of types. */
export const importsOf = (source: ts.SourceFile): readonly Import[] =>
  nodesOf(source).flatMap((node) => importOf(source, node) ?? []);

/** The lines on which a method of this name is called. */
export const callsOf = (source: ts.SourceFile, method: string): readonly number[] =>
  nodesOf(source).flatMap((node) =>
    ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === method
      ? [lineOf(source, node.expression.name)]
      : [],
  );

/** All string literals, for packages that are found by name at run time. */
export const literalsOf = (source: ts.SourceFile): ReadonlySet<string> =>
  new Set(nodesOf(source).flatMap((node) => (ts.isStringLiteralLike(node) ? [node.text] : [])));

/** The package of a specifier (`@scope/name`, `name`); undefined for a relative path and for modules of Node and of a build. */
export const packageOf = (specifier: string): string | undefined =>
  /^(?:\.|node:|virtual:)/.test(specifier) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
