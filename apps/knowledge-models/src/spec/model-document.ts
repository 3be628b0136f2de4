/** The OpenAPI 3.0.3 document of one model as its caller sees it: a query of each record, and one of the KPIs. */
import { securityRequirements } from '@tessera/contracts';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import type { CallerView } from '@tessera/knowledge-model';
import { commonComponents, commonSchemas } from './common-components.js';
import { createPathItem, createQueryTargetSchemas } from './query-paths.js';
import { listQueryTargets } from './query-subjects.js';
import type { Schema } from './schema.js';

type DocumentOptions = {
  /** Of the model. */
  readonly version: number;
  readonly publicUrl: string;
  readonly onlyCurated: boolean;
};

export const createModelDocument = (view: CallerView, { version, publicUrl, onlyCurated }: DocumentOptions): Schema => {
  const { model } = view;
  const subjects = listQueryTargets(view, onlyCurated);
  return {
    openapi: '3.0.3',
    info: {
      title: model.name,
      ...(model.description !== '' && { description: model.description }),
      version: String(version),
    },
    servers: [{ url: publicUrl }],
    tags: subjects.map(({ tag, title }) => ({ name: tag, description: title })),
    security: securityRequirements,
    paths: Object.fromEntries(
      subjects.map((subject) => [`${modelsPrefix}/${model.id}${subject.path}/query`, createPathItem(subject)]),
    ),
    components: {
      ...commonComponents,
      schemas: Object.fromEntries(
        [commonSchemas, ...subjects.map(createQueryTargetSchemas)].flatMap(Object.entries<Schema>),
      ),
    },
  };
};
