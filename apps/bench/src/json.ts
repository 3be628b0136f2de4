export const parseJson = <T>(text: string): T => JSON.parse(text) as T;
