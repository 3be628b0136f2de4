/** The root of the service of agents and conversations. It has no operations yet. */
import { Module } from '@nestjs/common';

@Module({})
export class AgentsModule {}
