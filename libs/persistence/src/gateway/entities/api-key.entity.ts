/** A key of a team. Only its digest is stored. */
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Team } from './team.entity.js';

/** Attributes of the bearer that policies on data may read. */
export type KeyAttributes = Readonly<Record<string, string | readonly string[]>>;

/** The grants of a team limit a key that the team created; a key of the operators has its own. */
export type KeyCreator = 'operators' | 'team';

@Entity({ schema: 'gateway', name: 'api_key' })
@Check('api_key_digest_check', 'octet_length(digest) = 32')
@Check('api_key_hourly_limit_check', 'hourly_limit > 0')
@Check('api_key_made_by_check', "made_by = ANY (ARRAY['operators'::text, 'team'::text])")
@Index('api_key_by_id', ['keyId'], { unique: true })
export class ApiKey {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  keyId!: string;

  @Column('text')
  name!: string;

  @Column('bytea')
  digest!: Buffer;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('integer')
  hourlyLimit!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column('text', { array: true, default: [] })
  furtherScopes!: string[];

  @Column('json', { default: {} })
  attributes!: KeyAttributes;

  @Column('text', { default: 'operators' })
  madeBy!: KeyCreator;

  @ManyToOne(() => Team)
  @JoinColumn([{ name: 'tenant', referencedColumnName: 'tenant' }])
  team?: Relation<Team>;
}
