export {
  applyDefinitions,
  toFaultsFailure,
  readDefinitions,
  removeDefinition,
  writePlan,
} from './apply-definitions.js';
export { changeDefinitions } from './apply-definitions.js';
export { compareMembers, type Members } from './compare-members.js';
export type { DefinitionKind } from './definition.js';
export { RevisionCache } from './revision-cache.js';
export { DefinitionReader, maxDefinitionAgeMs, waitForReplicas, type VersionRow } from './definition-reader.js';
export { planApply, type ApplyPlan } from './plan-apply.js';
export type { StoredDefinitions } from './definition.js';
