import type { SettingsSchema } from '@tessera/service-kit';
import { settings as agents } from '../../apps/agents/src/settings.js';
import { settings as contentRepo } from '../../apps/content-repo/src/settings.js';
import { gatewaySettings } from '../../apps/gateway/src/configuration.js';
import { settings as knowledgeModels } from '../../apps/knowledge-models/src/settings.js';
import { settings as toolGateway } from '../../apps/tool-gateway/src/settings.js';

export const serviceSchemas: Readonly<Record<string, SettingsSchema<Readonly<Record<string, unknown>>>>> = {
  gateway: gatewaySettings,
  agents,
  'tool-gateway': toolGateway,
  'knowledge-models': knowledgeModels,
  'content-repo': contentRepo,
};
