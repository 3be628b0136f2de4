/** A published version of an asset; it never changes. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DefinitionVersionColumns } from '../../entity-columns.js';
import { Asset } from './asset.entity.js';

@Entity({ schema: 'tool_gateway', name: 'asset_version' })
export class AssetVersion extends DefinitionVersionColumns {
  @PrimaryColumn('text', { name: 'asset_id' })
  override id!: string;

  @ManyToOne(() => Asset, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'asset_id', referencedColumnName: 'id' },
  ])
  asset?: Relation<Asset>;
}
