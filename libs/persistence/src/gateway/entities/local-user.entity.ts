/** The password of a member whom no issuer knows. Never the password itself: only what argon2id makes of it. */
import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Member } from './member.entity.js';

@Entity({ schema: 'gateway', name: 'local_user' })
@Check('local_user_password_check', "password ~~ '$argon2id$%'::text")
export class LocalUser {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  memberId!: string;

  @Column('text')
  password!: string;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;

  /** Where the member signed in with a password, the last one first. */
  @Column('text', { array: true, default: [] })
  networks!: string[];

  @ManyToOne(() => Member, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'member_id', referencedColumnName: 'memberId' },
  ])
  member?: Relation<Member>;
}
