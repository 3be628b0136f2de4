/**
 * The published models that a publication of others would break: those that extend them, by however many steps, and would
 * have faults. Refuses: models that have faults already; nothing makes them worse.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { ReplyOf } from '@tessera/contracts';
import type { applyDefinitions, KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { Fault } from '@tessera/failures';
import { checkModel, type Definitions } from '@tessera/knowledge-model';

export type BrokenModel = ReplyOf<typeof applyDefinitions>['breaks'][number];

/** `changed`: the ids of the models that differ between `before` and `after`. */
export const brokenChildren = async (
  before: Definitions,
  after: Definitions,
  changed: ReadonlySet<string>,
): Promise<readonly BrokenModel[]> => {
  const broken: BrokenModel[] = [];
  for (const definition of before.values()) {
    if (changed.has(definition.id) || !extendsAny(definition, after, changed)) continue;
    const checked = checkModel(definition, after);
    if (!checked.ok && checkModel(definition, before).ok) broken.push(brokenModel(definition.id, checked.faults));
    await othersTurn();
  }
  return broken;
};

const brokenModel = (id: string, faults: readonly Fault[]): BrokenModel => {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more faults` : '';
  return { id, message: `${first?.path}: ${first?.message}${more}` };
};

const extendsAny = (definition: KnowledgeModelDefinition, all: Definitions, ids: ReadonlySet<string>): boolean => {
  const seen = new Set<string>();
  for (let id = definition.extends; id && !seen.has(id); id = all.get(id)?.extends) {
    if (ids.has(id)) return true;
    seen.add(id);
  }
  return false;
};
