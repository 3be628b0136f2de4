export * from './find-target.js';
export * from './send-request.js';
