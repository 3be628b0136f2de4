/** Checks the length of files and functions, leftovers, type assertions and reads of the environment. */
import ts from 'typescript';
import { isTest } from '../workspace/files.js';
import { lineOf, nodesOf } from '../workspace/syntax.js';

const linesMax = 500;
export const linesMaxOfMost = 250;
const functionLinesMax = 70;

export const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

export const lengthFaults = (path: string, text: string): readonly string[] =>
  lineCount(text) > linesMax ? [`${path}:${linesMax + 1} is longer than ${linesMax} lines (${lineCount(text)})`] : [];

/** The length that nine of ten files keep. */
export const ninetiethPercentile = (lengths: readonly number[]): number =>
  [...lengths].sort((left, right) => left - right)[Math.ceil(lengths.length * 0.9) - 1] ?? 0;

/** `describe('…', () => { … })` holds tests as a module holds functions. */
const holdsTests = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^describe(?:\.|$)/.test(node.parent.expression.getText());

/** Lines of text in a function (SQL, above all) are not lines of code. */
const textLines = (tree: ts.SourceFile, node: ts.Node): number =>
  nodesOf(node)
    .filter((part) => ts.isNoSubstitutionTemplateLiteral(part) || ts.isTemplateExpression(part))
    .reduce((sum, part) => sum + part.getText(tree).split('\n').length - 1, 0);

export const functionFaults = (path: string, tree: ts.SourceFile): readonly string[] =>
  nodesOf(tree).flatMap((node) => {
    if (!ts.isFunctionLike(node) || holdsTests(node)) return [];
    const begin = lineOf(tree, node);
    const lines = tree.getLineAndCharacterOfPosition(node.end).line + 2 - begin - textLines(tree, node);
    return lines > functionLinesMax
      ? [`${path}:${begin} a function of ${lines} lines; ${functionLinesMax} are allowed`]
      : [];
  });

const unfinished = new RegExp(`\\b(?:${['FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK', 'TO' + 'DO'].join('|')})\\b`);
const focus = new RegExp(
  `\\b(?:it|test|describe)\\.(?:${['only', 'skip', 'todo'].join('|')})\\b|\\b(?:xit|xdescribe|fit|fdescribe)\\(`,
);

const matches = (path: string, text: string, pattern: RegExp, fault: string): readonly string[] =>
  text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${fault}`] : []));

export const leftoverFaults = (path: string, text: string): readonly string[] => [
  ...matches(path, text, unfinished, 'has a mark of unfinished work'),
  ...(isTest(path) ? matches(path, text, focus, 'leaves tests out') : []),
];

/** `value as Type`, with the exception of `as const`, which only narrows what is there. */
export const assertionCount = (tree: ts.SourceFile): number =>
  nodesOf(tree).filter((node) => ts.isAsExpression(node) && node.type.getText(tree) !== 'const').length;

/** `{ ...{ a, b } }`: its members could stand there themselves. */
export const spreadLiteralCount = (tree: ts.SourceFile): number =>
  nodesOf(tree).filter((node) => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)).length;

export const environmentFaults = (path: string, tree: ts.SourceFile, readers: readonly string[]): readonly string[] =>
  readers.some((reader) => path.startsWith(reader))
    ? []
    : nodesOf(tree).flatMap((node) =>
        (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
        /^process\s*(?:\?\.|\.|\[['"])\s*env\b/.test(node.getText(tree))
          ? node.getText(tree) === 'process.env' || /^process\[['"]env['"]\]$/.test(node.getText(tree))
            ? [`${path}:${lineOf(tree, node)} reads process.env; take the value from the configuration`]
            : []
          : [],
      );
