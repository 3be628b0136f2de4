/** A load of rows into a table and its outcome. */
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'knowledge_models', name: 'table_load' })
@Check(
  'table_load_state_check',
  "state = ANY (ARRAY['loading'::text, 'committing'::text, 'committed'::text, 'refused'::text])",
)
@Index('table_load_by_age', ['createdAt'])
export class TableLoad {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid', { default: () => 'uuidv7()' })
  loadId!: string;

  @Column('text')
  schemaName!: string;

  @Column('text')
  tableId!: string;

  @Column('json')
  options!: unknown;

  @Column('text', { default: 'loading' })
  state!: string;

  @Column('bigint', { nullable: true })
  dataVersion!: string | null;

  @Column('bigint', { nullable: true })
  rowCount!: string | null;

  @Column('bigint', { nullable: true })
  appendedVersion!: string | null;

  @Column('bigint', { nullable: true })
  appendedRows!: string | null;

  @Column('json', { nullable: true })
  faults!: unknown;

  @Column('json', { nullable: true })
  orphans!: unknown;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('text')
  createdBy!: string;
}
