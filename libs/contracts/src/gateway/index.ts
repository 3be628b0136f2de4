export * from './create-key.js';
export * from './list-keys.js';
export * from './list-teams.js';
export * from './parts.js';
export * from './read-status.js';
export * from './read-team.js';
export * from './revoke-key.js';
export * from './write-team.js';
