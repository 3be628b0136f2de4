/**
 * The tests of a spec file by their full names, read from its syntax. Refuses: tests that are left out; they prove nothing.
 */
import ts from 'typescript';

/** `describe('a', () => it.each(rows)('b %s', …))` -> `a b %s` */
export const testsIn = (path: string, text: string): readonly string[] => {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const titles: string[] = [];
  const visit = (node: ts.Node, suites: readonly string[]): void => {
    const called = ts.isCallExpression(node) ? calledWith(node) : undefined;
    if (called === undefined) return ts.forEachChild(node, (child) => visit(child, suites));
    const { name, title } = called;
    if (/\.(?:skip|todo|failing)\b/.test(name) || /^(?:xit|xtest|xdescribe)\b/.test(name)) return;
    if (/^(?:it|test)\b/.test(name)) return void titles.push([...suites, title].join(' '));
    ts.forEachChild(node, (child) => visit(child, [...suites, title]));
  };
  visit(tree, []);
  return titles;
};

/** What a call of the test framework is named with; undefined for any other call. */
const calledWith = ({ expression, arguments: given }: ts.CallExpression) => {
  // The call of `it.each(rows)` is what is called with the title.
  const name = (ts.isCallExpression(expression) ? expression.expression : expression).getText();
  const [title] = given;
  return /^x?(?:it|test|describe)(?:\.\w+)*$/.test(name) && title && ts.isStringLiteralLike(title)
    ? { name, title: title.text }
    : undefined;
};
