/** Questions with their truth as SQL -> questions of `tessera eval` with figures and texts. */
import type pg from 'pg';

export type QuestionLine = { readonly asked: readonly string[]; readonly truth: string };

export type TruthfulQuestion = {
  readonly ask: readonly string[];
  readonly figures?: readonly number[];
  readonly texts?: readonly string[];
  readonly expects: 'answer' | 'refusal' | 'question';
};

export const readQuestionLines = (table: string): readonly QuestionLine[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [asked = '', truth = ''] = line.split(' => ');
      return { asked: asked.split(' // '), truth };
    });

/** `tables`: the schema that has them. */
export const computeTruth = async (
  client: pg.Client,
  tables: string,
  { asked, truth }: QuestionLine,
): Promise<TruthfulQuestion> => {
  if (truth === 'refuse') return { ask: asked, expects: 'refusal' };
  if (truth === 'ask') return { ask: asked, expects: 'question' };
  if (truth.startsWith('say ')) return { ask: asked, texts: [truth.slice('say '.length)], expects: 'answer' };
  await client.query(`set search_path to ${tables}`);
  const { rows } = await client.query<unknown[]>({ text: truth, rowMode: 'array' });
  const cells = rows.flat().filter((cell) => cell !== null);
  const isFigure = (cell: unknown): boolean => typeof cell === 'number' || /^-?\d{1,9}(?:\.\d+)?$/.test(String(cell));
  return {
    ask: asked,
    // The answer to what finds nothing says that it is no row.
    figures: rows.length === 0 ? [0] : cells.filter(isFigure).map(Number),
    texts: cells.filter((cell) => !isFigure(cell)).map(String),
    expects: 'answer',
  };
};
