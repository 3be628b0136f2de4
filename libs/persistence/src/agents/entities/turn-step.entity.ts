/** A step of a turn: an answer of the model, or the results of its tool calls. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ConversationTurn } from './conversation-turn.entity.js';

@Entity({ schema: 'agents', name: 'step' })
export class TurnStep {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  conversationId!: string;

  @PrimaryColumn('integer')
  turnNo!: number;

  @PrimaryColumn('integer')
  attempt!: number;

  @PrimaryColumn('integer')
  stepNo!: number;

  @Column('json')
  content!: unknown;

  @Column('timestamptz')
  at!: Date;

  @Column('bigint')
  durationUs!: string;

  @Column('integer')
  bytes!: number;

  @ManyToOne(() => ConversationTurn, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'conversation_id', referencedColumnName: 'conversationId' },
    { name: 'turn_no', referencedColumnName: 'turnNo' },
  ])
  turn?: Relation<ConversationTurn>;
}
