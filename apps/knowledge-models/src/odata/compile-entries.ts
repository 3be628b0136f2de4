/**
 * A parsed query for entries -> its statements, and how its rows are written.
 */
import { succeed, type Result } from '@tessera/failures';
import type { CompiledQuery, DataQuery } from '@tessera/knowledge-model';
import {
  requiredFieldIds,
  createPayloadSerializer,
  createReferencesSerializer,
  type EntryQuery,
  type PayloadSerializer,
  type PayloadLayout,
  type Representation,
} from '@tessera/odata';
import type { QueryCompiler } from '../queries/query-preparer.js';
import { digestText } from '../cache/result-cache.js';
import type { RowFormat } from '../queries/row-format.js';

export type CompiledEntries<Question> = Pick<CompiledQuery, 'rows' | 'count' | 'columns' | 'tables' | 'settings'> & {
  readonly question: Question;
  /** As it was compiled, with the fields that the answer needs beside those that were asked for. */
  readonly query: DataQuery;
  readonly serializer: PayloadSerializer;
  readonly format: RowFormat;
};

/** An entry is a page of one. */
export type EntriesOrEntryQuery = EntryQuery & { readonly pageSize?: number };

/** How it is answered. */
export type CompileEntriesOptions = Pick<PayloadLayout, 'root' | 'representation' | 'isOne'> & {
  /** Whether addresses of entries are answered instead of entries. */
  readonly areReferences?: boolean;
  readonly now: Date;
};

export const compileEntries = <Question extends EntriesOrEntryQuery>(
  { compile }: Pick<QueryCompiler, 'compile'>,
  question: Question,
  { now, areReferences = false, ...answering }: CompileEntriesOptions,
): Result<CompiledEntries<Question>> => {
  const { type, shown, isSelected } = question;
  const query = addRequiredFields(question, answering.representation);
  const compiled = compile(query);
  if (!compiled.ok) return compiled;
  const { rows, count, tables, settings, columns, order, related } = compiled.value;
  const places = new Map(columns.map(({ id }, place) => [id, place]));
  const expanded = expandedLayoutsOf(question, compiled.value);
  const subject = { ...answering, type, shown, isSelected, expanded, linked: [], places };
  const written = answering.representation.format;
  const serializer =
    areReferences && written.kind === 'json'
      ? createReferencesSerializer(subject, written)
      : createPayloadSerializer(subject, now);
  const remembered = order.map(({ column }) => column);
  const format: RowFormat = {
    key: digestText(serializer.key),
    writer: serializer.writer,
    separator: serializer.separator,
    width: Math.max(columns.length, ...[...order, ...related].map(({ column }) => column + 1)),
    rowsMax: question.pageSize ?? 1,
    remembered,
  };
  return succeed({ rows, count, columns, tables, settings, question, query, serializer, format });
};

/** The requested fields, and those that the answer needs beside them. */
export const addRequiredFields = ({ type, query, expanded }: EntryQuery, representation: Representation): DataQuery => {
  const needed = requiredFieldIds({ type, representation });
  const fields = query.fields === 'all' ? query.fields : [...new Set([...query.fields, ...needed])];
  if (expanded.length === 0) return { ...query, fields };
  const ofRelated = expanded.flatMap(({ type: related }) =>
    requiredFieldIds({ type: related, representation }).map((id) => `${related.record}.${id}`),
  );
  return { ...query, fields, relatedFields: [...new Set([...(query.relatedFields ?? []), ...ofRelated])] };
};

export const expandedLayoutsOf = (
  { expanded }: EntryQuery,
  { columns, related }: Pick<CompiledQuery, 'columns' | 'related'>,
): PayloadLayout['expanded'] =>
  expanded.map(({ navigation: { name }, type, shown, isSelected }) => {
    const prefix = `${type.record}.`;
    const places = columns.flatMap(({ id }, place) =>
      id.startsWith(prefix) ? [[id.slice(prefix.length), place] as const] : [],
    );
    const presence = related.find(({ record }) => record === type.record)?.column ?? -1;
    return { name, type, shown, isSelected, places: new Map(places), presence };
  });
