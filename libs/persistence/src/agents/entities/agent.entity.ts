/** An agent: its published version, and its draft. */
import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DefinitionColumns } from '../../entity-columns.js';
import { AgentVersion } from './agent-version.entity.js';

@Entity({ schema: 'agents', name: 'agent' })
export class Agent extends DefinitionColumns {
  @PrimaryColumn('text', { name: 'agent_id' })
  override id!: string;

  @ManyToOne(() => AgentVersion, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'agent_id', referencedColumnName: 'id' },
    { name: 'published_version', referencedColumnName: 'version' },
  ])
  override published!: Relation<AgentVersion> | null;
}
