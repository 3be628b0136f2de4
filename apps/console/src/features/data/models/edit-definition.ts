/** A definition that people write as text: what it says, and where the server finds faults in it. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { refusalOf } from '../../../api/failures.js';
import { lineOfPath, linesOfDefinition } from './definition-lines.js';

export type WrittenDefinition =
  | { readonly kind: 'definition'; readonly definition: KnowledgeModelDefinition }
  /** `said` are the words of the browser. */
  | { readonly kind: 'syntax'; readonly line: number | undefined; readonly said: string }
  | { readonly kind: 'otherModel' };

/** What else is wrong with it, the server says. */
const isModel = (value: unknown): value is KnowledgeModelDefinition =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'KnowledgeModel' && 'id' in value;

/** Of the model with this id; another one would not be saved as its draft. */
export const readWritten = (text: string, modelId: string): WrittenDefinition => {
  try {
    const written: unknown = JSON.parse(text);
    return isModel(written) && written.id === modelId
      ? { kind: 'definition', definition: written }
      : { kind: 'otherModel' };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { kind: 'syntax', line: syntaxLineOf(said, text), said };
  }
};

/** Browsers say it in different ways, or not at all. */
const syntaxLineOf = (said: string, text: string): number | undefined => {
  const [, line] = /\bline (\d+)/.exec(said) ?? [];
  if (line !== undefined) return Number(line);
  const [, position] = /\bposition (\d+)/.exec(said) ?? [];
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
};

export type DefinitionFault = {
  /** Of the text as `linesOfDefinition` writes it, from 1. */
  readonly line: number;
  readonly path: string;
  readonly message: string;
};

/** The faults of a refused apply of one definition. */
export const definitionFaultsOf = (error: unknown, definition: unknown): readonly DefinitionFault[] => {
  const refusal = refusalOf(error);
  if (refusal === undefined) return [];
  const lines = linesOfDefinition(definition);
  return refusal.faults
    .filter((fault) => fault.in === 'body')
    .map((fault) => {
      const path = fault.path.replace(/^(?:apply\.)?definitions\.0\.?/, '');
      return { line: lineOfPath(lines, path), path, message: fault.message };
    })
    .toSorted((one, other) => one.line - other.line);
};
