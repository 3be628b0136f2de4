/** A published version of an agent; it never changes. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DefinitionVersionColumns } from '../../entity-columns.js';
import { Agent } from './agent.entity.js';

@Entity({ schema: 'agents', name: 'agent_version' })
export class AgentVersion extends DefinitionVersionColumns {
  @PrimaryColumn('text', { name: 'agent_id' })
  override id!: string;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'agent_id', referencedColumnName: 'id' },
  ])
  agent?: Relation<Agent>;
}
