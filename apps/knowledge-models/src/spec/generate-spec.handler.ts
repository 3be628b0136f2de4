/** The OpenAPI document of a model as its caller sees it, as JSON or YAML. */
import { Controller } from '@nestjs/common';
import { type ByteReply, type RequestOf, parseMediaRanges, qualityOf } from '@tessera/contracts';
import { generateModelSpec } from '@tessera/contracts/knowledge-models';
import { type Result, succeed } from '@tessera/failures';
import { jsonContentType, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { createModelDocument } from './model-document.js';
import { printYaml } from './print-yaml.js';
import { PrintedDocuments, createDocumentReply } from './printed-documents.js';

@Controller()
export class GenerateSpecHandler {
  readonly #documents = new PrintedDocuments();

  constructor(private readonly models: CallerModels) {}

  @Serves(generateModelSpec)
  generate(
    { km_id, curated, accept, ifNoneMatch }: RequestOf<typeof generateModelSpec>,
    { caller, publicUrl }: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(caller, km_id);
      if (!found.ok) return found;
      const { model, view } = found.value;
      const format = chooseFormat(accept);
      const document = this.#documents.find(view, JSON.stringify([model.version, format, curated, publicUrl]), () => {
        const made = createModelDocument(view, { version: model.version, publicUrl, onlyCurated: curated });
        return format === 'json' ? JSON.stringify(made) : printYaml(made);
      });
      const freshForMs = this.models.freshForMs(caller, found.value);
      return succeed(createDocumentReply(document, { contentType: contentTypes[format], ifNoneMatch, freshForMs }));
    });
  }
}

type SpecFormat = 'json' | 'yaml';

const contentTypes: Readonly<Record<SpecFormat, string>> = {
  json: jsonContentType,
  yaml: 'application/yaml; charset=utf-8',
};

/** In the order in which they are preferred; the latter are older names of YAML. */
const offeredTypes: readonly (readonly [string, SpecFormat])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/x-yaml', 'yaml'],
];

export const chooseFormat = (accept: string | undefined): SpecFormat => {
  const ranges = parseMediaRanges(accept ?? '');
  const rated = offeredTypes.map(([type, format]) => ({ format, quality: qualityOf(type, ranges)?.quality ?? 0 }));
  const best = rated.reduce((most, next) => (next.quality > most.quality ? next : most));
  return best.quality > 0 ? best.format : 'json';
};
