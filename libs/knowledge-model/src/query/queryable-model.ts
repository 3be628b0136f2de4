/** A model that has no fault, ready for questions: with what they can name looked up, and its policies parsed. */
import type { DataExpression } from '@tessera/filter';
import type { TypedModel } from '../expression/type-model.js';
import type { KnowledgeModel } from '../model/knowledge-model.js';
import type { ModelNames } from './query-field.js';
import type { Readers } from './caller-view.js';

export type RowPolicy = {
  /** The same for the same condition on the same record, whatever policies say it. */
  readonly number: number;
  readonly text: string;
  readonly expression: DataExpression;
  /** The attributes of the caller that it compares with. */
  readonly attributes: readonly string[];
};

export type CheckedPolicy = {
  readonly record: string;
  /** A caller with this scope is not restricted. */
  readonly unlessScope?: string;
  /** `RECORD.FIELD`. */
  readonly hides: readonly string[];
  readonly rows?: RowPolicy;
};

export type QueryableModel = {
  readonly model: KnowledgeModel;
  readonly formulas: TypedModel;
  readonly names: ModelNames;
  readonly policies: readonly CheckedPolicy[];
  readonly readers: Readers;
};
