/** Checks the names of files and declarations for words that say nothing. */
import ts from 'typescript';
import { lineOf, nodesOf } from '../workspace/syntax.js';

const suffixes =
  'd|controller|guard|strategy|handler|repository|entity|module|migration|config|golden|spec|int-spec|e2e-spec|bench';
const filePattern = new RegExp(`^[a-z0-9]+(?:-[a-z0-9]+)*(?:\\.(?:${suffixes}))?\\.(?:tsx?|mjs)$`);
/** A file of a route has the name of its place in the address, as the router reads it; `-` begins what is no route. */
const routePattern = /^(?:__root|-?(?:_|\$)?[a-zA-Z0-9]+(?:-[a-z0-9]+)*|\$)(?:\.(?:_|\$)?[a-zA-Z0-9-]+)*\.tsx?$/;
const isRoute = (path: string): boolean => path.startsWith('apps/console/src/routes/');
const forbiddenWords = new Set(['util', 'utils', 'helper', 'helpers', 'manager', 'base', 'info', 'v2']);

/** TypeORM's own name for what works on entities. */
const typeOrmName = 'manager';

/** `parseHTTPUrl2` -> parse, http, url2 */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const forbiddenWord = (name: string): string | undefined => wordsOf(name).find((word) => forbiddenWords.has(word));

/** For a path of TypeScript or JavaScript. */
export const fileNameFaults = (path: string): readonly string[] => {
  const word = path
    .split('/')
    .map(forbiddenWord)
    .find((found) => found !== undefined);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [
    ...((isRoute(path) ? routePattern : filePattern).test(name)
      ? []
      : [`${path}:1 is not in kebab-case with a known suffix`]),
    ...(word === undefined ? [] : [`${path}:1 has the word "${word}" in its path`]),
  ];
};

/** Members of objects are left alone: their names are often those of the wire or of a foreign interface. */
const declaredName = (node: ts.Node): ts.Identifier | undefined => {
  const names =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node);
  return names && node.name && ts.isIdentifier(node.name) ? node.name : undefined;
};

export const identifierFaults = (path: string, tree: ts.SourceFile): readonly string[] =>
  nodesOf(tree).flatMap((node) => {
    const name = declaredName(node);
    const word = name && name.text !== typeOrmName ? forbiddenWord(name.text) : undefined;
    return name && word ? [`${path}:${lineOf(tree, name)} ${name.text} has the word "${word}" in its name`] : [];
  });
