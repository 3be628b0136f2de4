/** The files of knowledge models and tables as their schemas read them, or the faults of their shape. */
import { type ParseResult, parseWith } from '@tessera/contracts';
import { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';

export const parseKnowledgeModel = (value: unknown): ParseResult<KnowledgeModelDefinition> =>
  parseWith(KnowledgeModelDefinition, value, 'definition');

export const parseTable = (value: unknown): ParseResult<TableDefinition> =>
  parseWith(TableDefinition, value, 'definition');
