/** Questions with their truth, as files of a folder: `*.eval.yaml`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith } from '@tessera/contracts';
import { KmQueryDataRequest } from '@tessera/contracts/knowledge-models';
import type { Fault } from '@tessera/failures';
import { z } from 'zod';
import { readYamlDocument, type YamlDocument } from '../files/yaml-text.js';
import { formatFaultMessage } from '../workspace/fault-list.js';

const text = z.string().min(1).max(2_000);

const Query = z.strictObject({
  model: text,
  kpis: z.array(text).default([]),
  fields: z.array(text).default([]),
  filters: z.array(text).default([]),
  where: z.array(text).default([]),
  sort: text.optional(),
  rows: z.int().min(1).max(100).default(25).describe('The first so many rows have to be in the answer.'),
});
type Query = z.output<typeof Query>;

const Question = z
  .strictObject({
    ask: z.union([text.transform((only) => [only]), z.array(text).min(1).max(20)]),
    figures: z.array(z.number()).max(1_000).default([]),
    texts: z.array(text).max(1_000).default([]),
    query: Query.optional(),
    expects: z.enum(['answer', 'refusal', 'question']).default('answer'),
  })
  .refine(
    ({ figures, texts, query, expects }) =>
      expects !== 'answer' || figures.length + texts.length > 0 || query !== undefined,
    'expected figures, texts or a query that the answer has to have, or expects: refusal or question',
  );

const EvaluationFile = z.strictObject({ agent: text.optional(), questions: z.array(Question).min(1).max(10_000) });

/** What the model is asked for the truth. */
export type TruthQuery = { readonly model: string; readonly request: z.output<typeof KmQueryDataRequest> };

export type EvaluationQuestion = Readonly<Omit<z.output<typeof Question>, 'query'>> & {
  /** Where it stands: file and line. */
  readonly place: string;
  readonly query?: TruthQuery;
};

export type Evaluation = {
  readonly agent: string | undefined;
  readonly file: string;
  readonly questions: readonly EvaluationQuestion[];
};

const fileEnding = '.eval.yaml';

/** In the order of their names; a text says all that is wrong, each fault with file, line and column. Throws as the file system does. */
export const readEvaluations = (folder: string): readonly Evaluation[] | string => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(fileEnding))
    .toSorted();
  if (files.length === 0) return `${folder} has no file whose name ends with ${fileEnding}`;
  const read = files.map((file) => readEvaluation(file, readFileSync(join(folder, file), 'utf8')));
  const faults = read.flatMap((each) => ('faults' in each ? each.faults : []));
  return faults.length > 0 ? faults.join('\n') : read.flatMap((each) => ('faults' in each ? [] : [each]));
};

const readEvaluation = (file: string, content: string): Evaluation | { readonly faults: readonly string[] } => {
  const yaml = readYamlDocument(content);
  if (yaml.faults.length > 0)
    return { faults: yaml.faults.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`) };
  const parsed = parseWith(EvaluationFile, yaml.value, file);
  if (!parsed.ok) return { faults: parsed.faults.map((fault) => formatPlacedFault(file, yaml, fault)) };
  const { agent, questions } = parsed.value;
  const queries = questions.map(({ query }) => query && toTruthQuery(query));
  const faults = queries.flatMap((query, at) =>
    query && 'faults' in query
      ? query.faults.map((fault) =>
          formatPlacedFault(file, yaml, { ...fault, path: `questions.${at}.query.${memberOf(fault)}` }),
        )
      : [],
  );
  if (faults.length > 0) return { faults };
  return {
    ...{ agent, file },
    questions: questions.map(({ query: _, ...question }, at) => {
      const query = queries[at];
      const place = `${file}:${yaml.placeOf(`questions.${at}`, '').line}`;
      return { ...question, place, ...(query && 'model' in query && { query }) };
    }),
  };
};

const formatPlacedFault = (file: string, { placeOf }: YamlDocument, fault: Pick<Fault, 'path' | 'message'>): string => {
  const { line, column } = placeOf(fault.path, fault.message);
  return `${file}:${line}:${column} ${formatFaultMessage(fault)}`;
};

const toTruthQuery = ({ model, ...query }: Query): TruthQuery | { readonly faults: readonly Fault[] } => {
  const { kpis, fields, filters, where, sort, rows } = query;
  const projection = {
    ...(fields.length > 0 && { fields: fields.join(',') }),
    ...(kpis.length > 0 && { kpis }),
    filters: { kmFilterNames: filters, filterExpr: where },
    ...(sort !== undefined && { sort }),
    pagination: { pageSize: rows },
    options: [],
  };
  const parsed = parseWith(KmQueryDataRequest, { projection }, 'query');
  return parsed.ok ? { model, request: parsed.value } : { faults: parsed.faults };
};

/** Of the file, by the path in the request. */
const memberOf = ({ path }: Fault): string =>
  path
    .replace(/^projection\./, '')
    .replace(/^filters\.kmFilterNames/, 'filters')
    .replace(/^filters\.filterExpr/, 'where');
