/** A knowledge model: its published version, and its draft. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DefinitionColumns } from '../../entity-columns.js';
import { ModelVersion } from './model-version.entity.js';

@Entity({ schema: 'knowledge_models', name: 'model' })
export class Model extends DefinitionColumns {
  @PrimaryColumn('text', { name: 'model_id' })
  override id!: string;

  @ManyToOne(() => ModelVersion, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'model_id', referencedColumnName: 'id' },
    { name: 'published_version', referencedColumnName: 'version' },
  ])
  override published!: Relation<ModelVersion> | null;
}
