/**
 * The models and storages of a team, as their owners name them; asked for only when a definition refers to one.
 * Refuses: to keep them; definitions are rare.
 */
import type { CallFrame } from '@tessera/contracts';
import { listStorages } from '@tessera/contracts/content-repo';
import { nameModels } from '@tessera/contracts/knowledge-models';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { askOperation } from '@tessera/messaging';
import type { Services } from '../tools/service-answer.js';

export type KnownNames = { readonly models: readonly string[]; readonly storages: readonly string[] };

type Asking = {
  readonly services: Services;
  readonly team: string;
  /** A draft may refer to drafts. */
  readonly isDraft: boolean;
  readonly frame: CallFrame;
};

export const knownNames = async (
  asked: readonly AgentToolsAssetDefinition[],
  { services, team, isDraft, frame }: Asking,
): Promise<Result<KnownNames>> => {
  const tools = asked.flatMap((asset) => asset.tools);
  const models = tools.some((tool) => 'knowledgeModel' in tool)
    ? await askOperation(services, nameModels, { team }, frame)
    : succeed({ published: [], drafts: [] });
  if (!models.ok) return models;
  const storages = tools.some(({ kind }) => kind === 'find-content')
    ? await askOperation(services, listStorages, { team }, frame)
    : succeed({ storages: [] });
  if (!storages.ok) return storages;
  const { published, drafts } = models.value;
  return succeed({
    models: isDraft ? [...new Set([...published, ...drafts])] : published,
    storages: storages.value.storages.map(({ collection, storage }) => `${collection}/${storage}`),
  });
};
