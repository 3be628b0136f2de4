/** A batch that a load has received. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { TableLoad } from './table-load.entity.js';

@Entity({ schema: 'knowledge_models', name: 'load_batch' })
export class LoadBatch {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  loadId!: string;

  @PrimaryColumn('integer')
  ordinal!: number;

  @Column('bigint')
  rowCount!: string;

  @ManyToOne(() => TableLoad, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'load_id', referencedColumnName: 'loadId' },
  ])
  tableLoad?: Relation<TableLoad>;
}
