/**
 * What an apply does with each asset of its request, which has no faults: create it, change it or leave it alone, and what
 * changes with that. Refuses: to write; a plan is all that a check answers.
 */
import { digestDefinition } from '@tessera/contracts';
import type { AgentToolsAssetDefinition, AppliedAsset } from '@tessera/contracts/tool-gateway';
import type { DraftToWrite, VersionToWrite } from '@tessera/persistence';
import { compareAssets } from './compare-assets.js';
import type { StoredDefinitions } from './stored-definitions.js';

type Step = {
  readonly applied: AppliedAsset;
  readonly version?: VersionToWrite<AgentToolsAssetDefinition>;
  readonly draft?: DraftToWrite<AgentToolsAssetDefinition>;
};

export type ApplyPlan = {
  /** In the order of the request. */
  readonly applied: AppliedAsset[];
  readonly versions: readonly VersionToWrite<AgentToolsAssetDefinition>[];
  readonly drafts: readonly DraftToWrite<AgentToolsAssetDefinition>[];
};

export const planApply = (
  asked: readonly AgentToolsAssetDefinition[],
  stored: StoredDefinitions,
  isDraft: boolean,
): ApplyPlan => {
  const steps = asked.map((definition) => (isDraft ? planDraft(definition, stored) : planVersion(definition, stored)));
  return {
    applied: steps.map(({ applied }) => applied),
    versions: steps.flatMap(({ version }) => version ?? []),
    drafts: steps.flatMap(({ draft }) => draft ?? []),
  };
};

const planVersion = (definition: AgentToolsAssetDefinition, stored: StoredDefinitions): Step => {
  const { kind, id } = definition;
  const digest = digestDefinition(definition);
  const published = stored.get(id)?.published;
  if (published?.digest === digest)
    return { applied: { kind, id, state: 'unchanged', version: published.version, changes: [] } };
  const version = (published?.version ?? 0) + 1;
  const changes = changesOf(published?.definition, definition);
  const state = published ? 'changed' : 'created';
  return { applied: { kind, id, state, version, changes }, version: { definition, digest, version } };
};

/** A draft that says what is published is none. */
const planDraft = (definition: AgentToolsAssetDefinition, stored: StoredDefinitions): Step => {
  const { kind, id } = definition;
  const digest = digestDefinition(definition);
  const known = stored.get(id);
  const current = known?.draft ?? known?.published;
  if (current?.digest === digest) return { applied: { kind, id, state: 'unchanged', changes: [] } };
  return {
    applied: { kind, id, state: known ? 'changed' : 'created', changes: changesOf(current?.definition, definition) },
    draft: { definition, digest, isDropped: known?.published?.digest === digest },
  };
};

const changesOf = (
  before: AgentToolsAssetDefinition | undefined,
  after: AgentToolsAssetDefinition,
): AppliedAsset['changes'] => (before ? [...compareAssets(before, after)] : []);
