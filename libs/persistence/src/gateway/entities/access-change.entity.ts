/** Who changed a member or a role of a team. Rows are only added, and those of refused sign-ins deleted after 30 days; their ids rise in the order of the changes. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'access_change' })
@Index('access_change_by_refusal', ['changedAt'], { where: "action = 'session.refused'::text" })
@Index('access_change_of_removal', ['tenant', 'target', 'changeId'], { where: "action = 'member.removed'::text" })
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

  /** The id of the member, the name of the role, or a digest of a typed name that is no member's. */
  @Column('text')
  target!: string;

  @Column('json')
  detail!: object;
}
