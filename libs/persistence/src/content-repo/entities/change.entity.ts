/** A change of a storage: who did what. Rows are only added. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'content_repo', name: 'change' })
@Index('change_by_instant', ['tenant', 'storageId', 'changedAt', 'sequence'])
export class Change {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('bigint')
  sequence!: string;

  @Column('timestamptz')
  changedAt!: Date;

  @Column('text')
  operation!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  requestId!: string;
}
