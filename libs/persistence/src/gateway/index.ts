export * from './administration-key.js';
export * from './api-keys.repository.js';
export { gatewayEntities } from './entities/index.js';
