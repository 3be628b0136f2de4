/** The OpenAPI 3.0.3 document of one model as its caller sees it: a query of each record, and one of the KPIs. */
import { security } from '@tessera/contracts';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import type { CallerView } from '@tessera/knowledge-model';
import { commonComponents, commonSchemas } from './common-components.js';
import { pathItem, schemasOf } from './query-paths.js';
import { querySubjects } from './query-subjects.js';
import type { Schema } from './schema.js';

type DocumentOptions = {
  /** Of the model. */
  readonly version: number;
  readonly publicUrl: string;
  readonly onlyCurated: boolean;
};

export const modelDocument = (view: CallerView, { version, publicUrl, onlyCurated }: DocumentOptions): Schema => {
  const { model } = view;
  const subjects = querySubjects(view, onlyCurated);
  return {
    openapi: '3.0.3',
    info: {
      title: model.name,
      ...(model.description !== '' && { description: model.description }),
      version: String(version),
    },
    servers: [{ url: publicUrl }],
    tags: subjects.map(({ tag, title }) => ({ name: tag, description: title })),
    security,
    paths: Object.fromEntries(
      subjects.map((subject) => [`${modelsPrefix}/${model.id}${subject.path}/query`, pathItem(subject)]),
    ),
    components: {
      ...commonComponents,
      schemas: Object.fromEntries([commonSchemas, ...subjects.map(schemasOf)].flatMap(Object.entries<Schema>)),
    },
  };
};
