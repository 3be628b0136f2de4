/**
 * Finds the environment variables that a file reads by name. A name that is composed must be declared where it is read.
 */
import ts from 'typescript';
import { nodesOf } from '../workspace/syntax.js';

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

export const environmentReads = (tree: ts.SourceFile): EnvironmentReads => {
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
