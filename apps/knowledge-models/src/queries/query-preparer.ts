/**
 * The way of every question to its rows: the model as the caller sees it, where its tables are, the compiled statements, and
 * all that their results depend on.
 * Refuses: a question with faults before it looks for tables, and to run anything.
 */
import { Injectable } from '@nestjs/common';
import type { Caller } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import type { CallerView, CompiledQuery, CompiledStatement } from '@tessera/knowledge-model';
import { CallerModels, type CallerModel } from '../catalog/caller-models.js';
import { Pools } from '../database/pools.js';
import { ExternalDatabases } from '../external/external-databases.js';
import type { Question } from './query-runner.js';
import { sourceOf } from './source-of.js';

type Reads = Pick<CompiledQuery, 'tables' | 'settings'>;

export type PreparedQuery<Compiled> = {
  readonly compiled: Compiled;
  /** One of its statements, ready to be run. */
  readonly ask: (statement: CompiledStatement) => Question;
};

/** `compile` is given the schema as PostgreSQL knows it. */
type Compile<Compiled extends Reads> = (view: CallerView, schema: string) => Result<Compiled>;

/** A model for several questions of one request, all of them to what there is now. */
export type OpenedModel = Pick<CallerModel, 'catalog' | 'view'> & {
  readonly prepare: <Compiled extends Reads>(compile: Compile<Compiled>) => Result<PreparedQuery<Compiled>>;
};

@Injectable()
export class QueryPreparer {
  constructor(
    private readonly models: CallerModels,
    private readonly pools: Pools,
    private readonly external: ExternalDatabases,
  ) {}

  async prepare<Compiled extends Reads>(
    caller: Caller,
    modelId: string,
    compile: Compile<Compiled>,
  ): Promise<Result<PreparedQuery<Compiled>>> {
    const found = await this.models.find(caller, modelId);
    return found.ok ? this.#prepare(caller, found.value, compile) : found;
  }

  async open(caller: Caller, modelId: string): Promise<Result<OpenedModel>> {
    const found = await this.models.find(caller, modelId);
    if (!found.ok) return found;
    const { catalog, view } = found.value;
    return succeed({ catalog, view, prepare: (compile) => this.#prepare(caller, found.value, compile) });
  }

  #prepare<Compiled extends Reads>(
    caller: Caller,
    model: CallerModel,
    compile: Compile<Compiled>,
  ): Result<PreparedQuery<Compiled>> {
    const { view, viewKey } = model;
    const source = sourceOf({ pools: this.pools, external: this.external }, caller.team, model);
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
