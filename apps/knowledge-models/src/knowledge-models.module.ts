/** The root of the service of knowledge models and their queries. It has no operations yet. */
import { Module } from '@nestjs/common';

@Module({})
export class KnowledgeModelsModule {}
