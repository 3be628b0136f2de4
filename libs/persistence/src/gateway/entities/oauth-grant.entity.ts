/** What a member allowed a client. Its tokens are worth what the member may do, and end with it. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Member } from './member.entity.js';

@Entity({ schema: 'gateway', name: 'oauth_grant' })
@Index('oauth_grant_by_id', ['grantId'], { unique: true })
@Index('oauth_grant_by_issuer_session', ['issuerSession'], { where: 'issuer_session IS NOT NULL' })
@Index('oauth_grant_by_member', ['tenant', 'memberId'])
export class OAuthGrant {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  grantId!: string;

  @Column('text')
  memberId!: string;

  /** One that registered itself, the address of a document, or one of the operator: there is no row for all of them. */
  @Column('text')
  clientId!: string;

  @Column('text')
  payload!: string;

  /** Of one that was given in a session of the issuer which that has named. */
  @Column('text', { nullable: true })
  issuerSession!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @ManyToOne(() => Member, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'member_id', referencedColumnName: 'memberId' },
  ])
  member?: Relation<Member>;
}
