/** Below it the floor's tool has schemas. */
export const describedPrefix = '/described';
