/** A person at a browser, as a member of a team or as the holder of a key. Only the digest of what the browser keeps is stored. */
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ApiKey } from './api-key.entity.js';
import { Member } from './member.entity.js';

@Entity({ schema: 'gateway', name: 'session' })
@Check('session_digest_check', 'octet_length(digest) = 32')
@Check('session_holder_check', 'num_nonnulls(member_id, key_id) = 1')
@Check('session_issuer_check', '(issuer IS NULL) = (subject IS NULL) AND (issuer IS NULL OR member_id IS NOT NULL)')
@Index('session_by_digest', ['digest'], { unique: true })
@Index('session_by_member', ['tenant', 'memberId'])
@Index('session_by_key', ['tenant', 'keyId'])
@Index('session_by_subject', ['issuer', 'subject'])
export class Session {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid', { default: () => 'uuidv7()' })
  sessionId!: string;

  @Column('bytea')
  digest!: Buffer;

  @Column('text', { nullable: true })
  memberId!: string | null;

  @Column('text', { nullable: true })
  keyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  lastSeenAt!: Date;

  @Column('timestamptz')
  endsAt!: Date;

  @Column('text', { default: '' })
  userAgent!: string;

  /** Who the person is at the issuer of the operator, where the session began there. */
  @Column('text', { nullable: true })
  issuer!: string | null;

  @Column('text', { nullable: true })
  subject!: string | null;

  /** The session at the issuer (`sid`), where it names one. */
  @Column('text', { nullable: true })
  issuerSession!: string | null;

  /** What tells the issuer whom to sign out. */
  @Column('text', { nullable: true, select: false })
  idToken!: string | null;

  @ManyToOne(() => Member, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'member_id', referencedColumnName: 'memberId' },
  ])
  member?: Relation<Member>;

  @ManyToOne(() => ApiKey, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'key_id', referencedColumnName: 'keyId' },
  ])
  key?: Relation<ApiKey>;
}
