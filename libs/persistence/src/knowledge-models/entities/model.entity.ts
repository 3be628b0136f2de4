/** A knowledge model: its published version, and its draft. */
import { Entity, PrimaryColumn } from 'typeorm';
import { DefinitionColumns } from '../../entity-columns.js';

@Entity({ schema: 'knowledge_models', name: 'model' })
export class Model extends DefinitionColumns {
  @PrimaryColumn('text')
  modelId!: string;
}
