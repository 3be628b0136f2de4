import type { CallFrame } from '@tessera/contracts';
import { listStorages } from '@tessera/contracts/content-repo';
import { listModelNames } from '@tessera/contracts/knowledge-models';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { type Result, succeed } from '@tessera/failures';
import { callOperation } from '@tessera/messaging';
import type { Services } from '../tools/call-service.js';

type KnownNames = { readonly models: readonly string[]; readonly storages: readonly string[] };

type KnownNamesOptions = {
  readonly services: Services;
  readonly team: string;
  /** A draft may refer to drafts. */
  readonly isDraft: boolean;
  readonly frame: CallFrame;
};

export const fetchModelAndStorageNames = async (
  definitions: readonly AgentToolsAssetDefinition[],
  { services, team, isDraft, frame }: KnownNamesOptions,
): Promise<Result<KnownNames>> => {
  const tools = definitions.flatMap((asset) => asset.tools);
  const models = tools.some((tool) => 'knowledgeModel' in tool)
    ? await callOperation(services, listModelNames, { team }, frame)
    : succeed({ published: [], drafts: [] });
  if (!models.ok) return models;
  const storages = tools.some(({ kind }) => kind === 'find-content')
    ? await callOperation(services, listStorages, { team }, frame)
    : succeed({ storages: [] });
  if (!storages.ok) return storages;
  const { published, drafts } = models.value;
  return succeed({
    models: isDraft ? [...new Set([...published, ...drafts])] : published,
    storages: storages.value.storages.map(({ collection, storage }) => `${collection}/${storage}`),
  });
};
