/** Questions with their truth, as files of a folder: `*.eval.yaml`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

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
export type TruthQuery = z.output<typeof Query>;

const Question = z
  .strictObject({
    ask: z.union([text.transform((only) => [only]), z.array(text).min(1).max(20)]),
    figures: z.array(z.number()).max(1_000).optional(),
    texts: z.array(text).max(1_000).optional(),
    query: Query.optional(),
    expects: z.enum(['answer', 'refusal', 'question']).default('answer'),
  })
  .refine(
    ({ figures, texts, query, expects }) => expects !== 'answer' || (figures ?? texts ?? query) !== undefined,
    'expected figures, texts or a query that the answer has to have, or expects: refusal or question',
  );
export type EvaluationQuestion = z.output<typeof Question>;

const EvaluationFile = z.strictObject({ agent: text.optional(), questions: z.array(Question).min(1).max(10_000) });

export type Evaluation = {
  readonly agent: string | undefined;
  readonly file: string;
  readonly questions: readonly EvaluationQuestion[];
};

const fileEnding = '.eval.yaml';

/** In the order of their names; a text says what is wrong, and where. Throws as the file system does. */
export const readEvaluations = (folder: string): readonly Evaluation[] | string => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(fileEnding))
    .toSorted();
  if (files.length === 0) return `${folder} has no file whose name ends with ${fileEnding}`;
  const evaluations: Evaluation[] = [];
  for (const file of files) {
    const parsed = EvaluationFile.safeParse(documentOf(readFileSync(join(folder, file), 'utf8')));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is no YAML'}`;
    }
    evaluations.push({ agent: parsed.data.agent, file, questions: parsed.data.questions });
  }
  return evaluations;
};

const documentOf = (content: string): unknown => {
  try {
    const document: unknown = parse(content);
    return document;
  } catch {
    return undefined;
  }
};
