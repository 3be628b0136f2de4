export const describedFloorPrefix = '/described';
