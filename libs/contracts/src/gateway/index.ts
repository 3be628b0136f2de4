export * from './administration.js';
export * from './client-grants.js';
export * from './evidence.js';
export * from './me.js';
export * from './members.js';
export * from './roles.js';
export * from './sessions.js';
export { teamId } from './parts.js';
export * from './usage.js';
