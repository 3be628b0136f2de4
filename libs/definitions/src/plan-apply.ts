/** Decides what an apply does with each definition: create, change or leave alone, and what changes with that. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { digestDefinition } from '@tessera/contracts';
import type { NewDefinitionDraft, NewDefinitionVersion } from '@tessera/persistence';
import type { AppliedDefinition, Definition, DefinitionKind, StoredDefinitions } from './definition.js';

type Step<D extends Definition> = {
  readonly applied: AppliedDefinition<D>;
  readonly version?: NewDefinitionVersion<D>;
  readonly draft?: NewDefinitionDraft<D>;
};

export type ApplyPlan<D extends Definition> = {
  /** In the order of the request. */
  readonly applied: AppliedDefinition<D>[];
  readonly versions: readonly NewDefinitionVersion<D>[];
  readonly drafts: readonly NewDefinitionDraft<D>[];
};

type Planning<D extends Definition> = {
  readonly stored: StoredDefinitions<D>;
  readonly compare: DefinitionKind<D>['compare'];
  readonly isDraft: boolean;
};

/** Other requests get their turn after each definition. */
export const planApply = async <D extends Definition>(
  definitions: readonly D[],
  planning: Planning<D>,
): Promise<ApplyPlan<D>> => {
  const plan = planning.isDraft ? planDraft : planVersion;
  const steps: Step<D>[] = [];
  for (const definition of definitions) {
    steps.push(await plan(definition, planning));
    await yieldToOthers();
  }
  return {
    applied: steps.map(({ applied }) => applied),
    versions: steps.flatMap(({ version }) => version ?? []),
    drafts: steps.flatMap(({ draft }) => draft ?? []),
  };
};

const planVersion = async <D extends Definition>(definition: D, { stored, compare }: Planning<D>): Promise<Step<D>> => {
  const { kind, id } = definition;
  const digest = digestDefinition(definition);
  const published = stored.get(id)?.published;
  if (published?.digest === digest)
    return { applied: { kind, id, state: 'unchanged', version: published.version, changes: [] } };
  const version = (published?.version ?? 0) + 1;
  const changes = published?.definition ? [...(await compare(published.definition, definition))] : [];
  const state = published ? 'changed' : 'created';
  return { applied: { kind, id, state, version, changes }, version: { definition, digest, version } };
};

/** A draft that says what is published is none. */
const planDraft = async <D extends Definition>(definition: D, { stored, compare }: Planning<D>): Promise<Step<D>> => {
  const { kind, id } = definition;
  const digest = digestDefinition(definition);
  const known = stored.get(id);
  const current = known?.draft ?? known?.published;
  if (current?.digest === digest) return { applied: { kind, id, state: 'unchanged', changes: [] } };
  const changes = current?.definition ? [...(await compare(current.definition, definition))] : [];
  return {
    applied: { kind, id, state: known ? 'changed' : 'created', changes },
    draft: { definition, digest, isDropped: known?.published?.digest === digest },
  };
};
