/** A turn of a conversation: a message, its outcome, and the replica that holds its lease. */
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Conversation } from './conversation.entity.js';

@Entity({ schema: 'agents', name: 'turn' })
@Check(
  'turn_state_check',
  "state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'interrupted'::text])",
)
@Index('turn_by_key', ['tenant', 'keyDigest'], { unique: true, where: 'key_digest IS NOT NULL' })
@Index('turn_that_runs', ['tenant', 'conversationId'], { unique: true, where: "state = 'running'::text" })
export class ConversationTurn {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  conversationId!: string;

  @PrimaryColumn('integer')
  turnNo!: number;

  @Column('integer', { default: 1 })
  attempt!: number;

  @Column('text')
  state!: string;

  @Column('text')
  message!: string;

  @Column('text', { nullable: true })
  stop!: string | null;

  @Column('text', { nullable: true })
  answer!: string | null;

  @Column('json', { nullable: true })
  structuredOutput!: unknown;

  @Column('text', { nullable: true })
  failure!: string | null;

  @Column('text')
  agentVersion!: string;

  @Column('bytea')
  digest!: Buffer;

  @Column('text')
  model!: string;

  @Column('bigint', { default: 0 })
  inputTokens!: string;

  @Column('bigint', { default: 0 })
  outputTokens!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt!: Date;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  @Column('uuid')
  replica!: string;

  @Column('timestamptz')
  leaseUntil!: Date;

  @Column('bytea', { nullable: true })
  keyDigest!: Buffer | null;

  @Column('bytea', { nullable: true })
  requestDigest!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  keyedAt!: Date | null;

  @Column('text')
  requestId!: string;

  @ManyToOne(() => Conversation, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'conversation_id', referencedColumnName: 'conversationId' },
  ])
  conversation?: Relation<Conversation>;
}
