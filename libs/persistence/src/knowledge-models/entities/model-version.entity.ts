/** A published version of a knowledge model; it never changes. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DefinitionVersionColumns } from '../../entity-columns.js';
import { Model } from './model.entity.js';

@Entity({ schema: 'knowledge_models', name: 'model_version' })
export class ModelVersion extends DefinitionVersionColumns {
  @PrimaryColumn('text', { name: 'model_id' })
  override id!: string;

  @ManyToOne(() => Model, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'model_id', referencedColumnName: 'id' },
  ])
  model?: Relation<Model>;
}
