import type { SettingsSchema } from '@tessera/service-kit';
import { agentsSettings as agents } from '../../apps/agents/src/settings.js';
import { contentRepoSettings as contentRepo } from '../../apps/content-repo/src/settings.js';
import { gatewaySettings } from '../../apps/gateway/src/configuration.js';
import { knowledgeModelsSettings as knowledgeModels } from '../../apps/knowledge-models/src/settings.js';
import { toolGatewaySettings as toolGateway } from '../../apps/tool-gateway/src/settings.js';

export const serviceSchemas: Readonly<Record<string, SettingsSchema<Readonly<Record<string, unknown>>>>> = {
  gateway: gatewaySettings,
  agents,
  'tool-gateway': toolGateway,
  'knowledge-models': knowledgeModels,
  'content-repo': contentRepo,
};
