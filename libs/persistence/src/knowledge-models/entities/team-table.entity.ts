/** A table of a team: its definition and the version of its data. */
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'knowledge_models', name: 'team_table' })
export class TeamTable {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  schemaName!: string;

  @PrimaryColumn('text')
  tableId!: string;

  @Column('json')
  definition!: unknown;

  @Column('bytea')
  digest!: Buffer;

  @Column('bigint', { default: 0 })
  dataVersion!: string;

  @Column('bigint', { default: 0 })
  rowCount!: string;

  @Column('timestamptz', { nullable: true })
  loadedAt!: Date | null;

  @Column('text', { nullable: true })
  loadedBy!: string | null;
}
