/** A question as it is kept, so that it can be asked again. */
import { GetInsightsArguments } from '@tessera/contracts/knowledge-models';
import type { DataQuery } from '@tessera/knowledge-model';
import { z } from 'zod';

/** Only this service writes it; what is not there any more is found when the question is resolved. */
const StoredQuery = z.custom<DataQuery>((value) => typeof value === 'object' && value !== null);

const RowsQuestion = z.object({
  query: StoredQuery,
  order: z.array(z.int().min(0)).readonly().optional(),
  rowsMax: z.int().min(0),
});
/** Rows of a query: `order` are the places of the answered columns, when they are not those of the query. */
export type RowsQuestion = Readonly<z.output<typeof RowsQuestion>>;

const InsightsQuestion = z.object({ insights: GetInsightsArguments });
export type InsightsQuestion = Readonly<z.output<typeof InsightsQuestion>>;

export const AskedQuestion = z.union([RowsQuestion, InsightsQuestion]);
export type AskedQuestion = RowsQuestion | InsightsQuestion;

export const isInsightsQuestion = (question: AskedQuestion): question is InsightsQuestion => 'insights' in question;
