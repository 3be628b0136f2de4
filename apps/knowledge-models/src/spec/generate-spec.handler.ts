/** The OpenAPI document of a model as its caller sees it, as JSON or YAML. */
import { Controller } from '@nestjs/common';
import { type ByteReply, type RequestOf, readMediaRanges, qualityOf } from '@tessera/contracts';
import { generateSpec } from '@tessera/contracts/knowledge-models';
import { type Result, succeed } from '@tessera/failures';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { modelDocument } from './model-document.js';
import { printYaml } from './print-yaml.js';

@Controller()
export class GenerateSpecHandler {
  constructor(private readonly models: CallerModels) {}

  @Serves(generateSpec)
  generate(request: RequestOf<typeof generateSpec>, context: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const found = await this.models.find(context.caller, request.km_id);
      if (!found.ok) return found;
      const { model, view } = found.value;
      const { publicUrl } = context;
      const document = modelDocument(view, { version: model.version, publicUrl, onlyCurated: request.curated });
      if (chooseFormat(request.accept) === 'json') return jsonReply(document);
      return succeed({ contentType: 'application/yaml; charset=utf-8', body: Buffer.from(printYaml(document)) });
    });
  }
}

type SpecFormat = 'json' | 'yaml';

/** In the order in which they are preferred; the latter are older names of YAML. */
const offered: readonly (readonly [string, SpecFormat])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/x-yaml', 'yaml'],
];

export const chooseFormat = (accept: string | undefined): SpecFormat => {
  const ranges = readMediaRanges(accept ?? '');
  const rated = offered.map(([type, format]) => ({ format, quality: qualityOf(type, ranges)?.quality ?? 0 }));
  const best = rated.reduce((most, next) => (next.quality > most.quality ? next : most));
  return best.quality > 0 ? best.format : 'json';
};
