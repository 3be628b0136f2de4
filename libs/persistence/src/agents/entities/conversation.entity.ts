/** A conversation of a subject with an agent. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'conversation' })
@Index('conversation_by_age', { synchronize: false })
@Index('conversation_of_subject', ['tenant', 'subject', 'agentId', 'conversationId'])
export class Conversation {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid', { default: () => 'uuidv7()' })
  conversationId!: string;

  @Column('text')
  agentId!: string;

  @Column('text')
  subject!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  changedAt!: Date;

  @Column('timestamptz')
  keptUntil!: Date;

  @Column('integer')
  turnCount!: number;

  @Column('text')
  firstMessage!: string;
}
