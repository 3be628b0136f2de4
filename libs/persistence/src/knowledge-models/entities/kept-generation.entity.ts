/** A generation of a table that was in place before; its rows are in a table beside the one that is read. */
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'knowledge_models', name: 'kept_generation' })
export class KeptGeneration {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  schemaName!: string;

  @PrimaryColumn('text')
  tableId!: string;

  @PrimaryColumn('bigint')
  dataVersion!: string;

  @Column('bigint')
  rowCount!: string;

  @Column('timestamptz', { nullable: true })
  loadedAt!: Date | null;

  @Column('text', { nullable: true })
  loadedBy!: string | null;
}
