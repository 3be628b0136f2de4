/** The query for groups of `$apply` -> its statements, and how its rows are written. */
import { type Result, succeed } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import { type GroupsQuery, createGroupsSerializer, type PayloadSerializer, type PayloadLayout } from '@tessera/odata';
import { digestText } from '../cache/result-cache.js';
import type { QueryCompiler } from '../queries/query-preparer.js';
import type { RowFormat } from '../queries/row-format.js';

type CompiledGroups = Pick<CompiledQuery, 'rows' | 'count' | 'columns' | 'tables' | 'settings'> & {
  readonly question: GroupsQuery;
  readonly query: DataQuery;
  readonly serializer: PayloadSerializer;
  readonly format: RowFormat;
};

export const compileGroups = (
  compile: QueryCompiler['compile'],
  question: GroupsQuery,
  { root, representation }: Pick<PayloadLayout, 'root' | 'representation'>,
): Result<CompiledGroups> => {
  const compiled = compile(question.query);
  if (!compiled.ok) return compiled;
  const { columns } = compiled.value;
  const places = new Map(columns.map(({ id }, place) => [id, place]));
  const serializer = createGroupsSerializer({ ...question.groups, root, type: question.type, representation, places });
  const { writer, separator } = serializer;
  const format: RowFormat = {
    key: digestText(serializer.key),
    writer,
    separator,
    width: columns.length,
    rowsMax: question.pageSize,
    remembered: [],
  };
  return succeed({ ...compiled.value, question, query: question.query, serializer, format });
};
