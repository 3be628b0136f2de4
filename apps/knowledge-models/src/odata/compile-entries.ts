/**
 * A question for entries, understood -> its statements, and how its rows are written.
 * Refuses: to run anything.
 */
import { succeed, type Result } from '@tessera/failures';
import type { CallerView, CompiledQuery } from '@tessera/knowledge-model';
import {
  fieldsNeeded,
  payloadOf,
  type EntityModel,
  type EntryQuestion,
  type Payload,
  type PayloadSubject,
} from '@tessera/odata';
import type { CompiledQueries } from '../queries/compiled-queries.js';
import type { RowFormat } from '../queries/row-format.js';

export type CompiledEntries<Question> = Pick<CompiledQuery, 'rows' | 'count' | 'tables' | 'settings'> & {
  readonly question: Question;
  readonly payload: Payload;
  readonly format: RowFormat;
};

/** An entry is a page of one. */
export type EntriesOrEntry = EntryQuestion & { readonly pageSize?: number };

/** How it is answered. */
export type Answering = Pick<PayloadSubject, 'root' | 'representation' | 'isOne'> & { readonly now: Date };

/** Where a question is compiled, as `AskedModels` gives it. */
export type Compiling = {
  readonly queries: CompiledQueries;
  readonly view: CallerView;
  readonly schema: string;
  readonly model: EntityModel;
};

export const compileEntries = <Question extends EntriesOrEntry>(
  { queries, view, schema, model }: Compiling,
  question: Question,
  { now, ...answering }: Answering,
): Result<CompiledEntries<Question>> => {
  const { type, query, shown, isSelected } = question;
  const needed = fieldsNeeded({ type, representation: answering.representation });
  const fields = query.fields === 'all' ? query.fields : [...new Set([...query.fields, ...needed])];
  const compiled = queries.of(view, { ...query, fields }, schema);
  if (!compiled.ok) return compiled;
  const { rows, count, tables, settings, columns, order } = compiled.value;
  const places = new Map(columns.map(({ id }, place) => [id, place]));
  const payload = payloadOf({ ...answering, model, type, shown, isSelected, places }, now);
  const remembered = order.map(({ column }) => column);
  const format: RowFormat = {
    key: payload.key,
    writer: payload.writer,
    separator: payload.separator,
    width: Math.max(columns.length, ...remembered.map((place) => place + 1)),
    rowsMax: question.pageSize ?? 1,
    remembered,
  };
  return succeed({ rows, count, tables, settings, question, payload, format });
};
