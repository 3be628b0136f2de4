/** The pools of a service and TypeORM on them. An entry of its own, so that only services load TypeORM. */
import { Module, type FactoryProvider, type ModuleMetadata, type Type } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';

@Module({})
class PoolsModule {}

/** For `@Module`: provides and exports `pools`, and a data source with the options that `optionsOf` makes of them. */
export const createDatabaseModuleMetadata = <Pools>(
  pools: Type<Pools> | FactoryProvider<Pools>,
  optionsOf: (pools: Pools) => TypeOrmModuleOptions,
): ModuleMetadata => {
  const token = typeof pools === 'function' ? pools : pools.provide;
  const poolsModule = { module: PoolsModule, providers: [pools], exports: [token] };
  const typeOrm = TypeOrmModule.forRootAsync({
    imports: [poolsModule],
    inject: [token],
    // The service also starts while PostgreSQL is away; what needs an entity first starts the data source.
    useFactory: (provided: Pools) => ({ ...optionsOf(provided), manualInitialization: true }),
  });
  return { imports: [poolsModule, typeOrm], exports: [poolsModule] };
};
