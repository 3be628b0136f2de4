/** JSON whose shape is known to who reads it. Refuses: to check it. */
export const parseJson = <T>(text: string): T => JSON.parse(text) as T;
