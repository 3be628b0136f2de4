/** Who changed a member or a role of a team. Rows are only added; their ids rise in the order of the changes. */
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'access_change' })
export class AccessChange {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid', { default: () => 'uuidv7()' })
  changeId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;

  /** Who changed it, and the team of who did: operators change other teams. */
  @Column('text')
  subject!: string;

  @Column('text')
  subjectTeam!: string;

  @Column('text')
  requestId!: string;

  @Column('text')
  action!: string;

  /** The id of the member, or the name of the role. */
  @Column('text')
  target!: string;

  @Column('json')
  detail!: object;
}
