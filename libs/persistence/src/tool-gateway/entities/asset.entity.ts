/** An asset: its published version, and its draft. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DefinitionColumns } from '../../entity-columns.js';
import { AssetVersion } from './asset-version.entity.js';

@Entity({ schema: 'tool_gateway', name: 'asset' })
export class Asset extends DefinitionColumns {
  @PrimaryColumn('text', { name: 'asset_id' })
  override id!: string;

  @ManyToOne(() => AssetVersion, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'asset_id', referencedColumnName: 'id' },
    { name: 'published_version', referencedColumnName: 'version' },
  ])
  override published!: Relation<AssetVersion> | null;
}
