export const describedPrefix = '/described';
