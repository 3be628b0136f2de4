/** An asset: its published version, and its draft. */
import { Entity, PrimaryColumn } from 'typeorm';
import { DefinitionColumns } from '../../entity-columns.js';

@Entity({ schema: 'tool_gateway', name: 'asset' })
export class Asset extends DefinitionColumns {
  @PrimaryColumn('text')
  assetId!: string;
}
