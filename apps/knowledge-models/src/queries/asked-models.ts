/**
 * The way of every question to its rows: the model as the caller sees it, where its tables are, the compiled statements, and
 * all that their results depend on.
 * Refuses: a question with faults before it looks for tables, and to run anything.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import type { CallerView, CompiledQuery, CompiledStatement } from '@tessera/knowledge-model';
import { CallerModels } from '../catalog/caller-models.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { executionToken, type Execution } from './execution.js';
import type { Question } from './query-runner.js';
import { sourceOf } from './source-of.js';

type Reads = Pick<CompiledQuery, 'tables' | 'settings'>;

export type PreparedQuestion<Compiled> = {
  readonly compiled: Compiled;
  /** One of its statements, ready to be run. */
  readonly ask: (statement: CompiledStatement) => Question;
};

@Injectable()
export class AskedModels {
  constructor(
    private readonly models: CallerModels,
    @Inject(poolsToken) private readonly pools: Pools,
    @Inject(executionToken) private readonly execution: Execution,
  ) {}

  /** `compile` is given the schema as PostgreSQL knows it. */
  async prepare<Compiled extends Reads>(
    caller: Caller,
    modelId: string,
    compile: (view: CallerView, schema: string) => Result<Compiled>,
  ): Promise<Result<PreparedQuestion<Compiled>>> {
    const found = await this.models.find(caller, modelId);
    if (!found.ok) return found;
    const { view, viewKey } = found.value;
    const source = sourceOf({ pools: this.pools, external: this.execution.external }, caller.team, found.value);
    const compiled = compile(view, source.ok ? source.value.schema : view.model.source.schema);
    if (!compiled.ok) return compiled;
    if (!source.ok) return source;
    const { tables, settings } = compiled.value;
    const versions = source.value.versionsOf(tables);
    if (!versions.ok) return versions;
    const dependsOn = [versions.value, viewKey];
    return succeed({
      compiled: compiled.value,
      ask: (statement) => ({ source: source.value, statement, settings, dependsOn }),
    });
  }
}
