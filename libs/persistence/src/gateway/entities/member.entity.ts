/** A person in a team. Who is in several teams has a row in each. */
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { KeyAttributes } from './api-key.entity.js';
import { Team } from './team.entity.js';

@Entity({ schema: 'gateway', name: 'member' })
@Check('member_subject_check', "issuer <> ''::text OR subject = member_id")
@Index('member_by_subject', ['issuer', 'subject', 'tenant'], { unique: true })
export class Member {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  memberId!: string;

  /** Empty for somebody whom no issuer knows; the subject is the id then. */
  @Column('text', { default: '' })
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  displayName!: string;

  @Column('text', { array: true })
  roles!: string[];

  @Column('text', { array: true, default: [] })
  furtherScopes!: string[];

  @Column('json', { default: {} })
  attributes!: KeyAttributes;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @ManyToOne(() => Team)
  @JoinColumn([{ name: 'tenant', referencedColumnName: 'tenant' }])
  team?: Relation<Team>;
}
