/** Made by the build from the contracts: how each operation is called, by the name that they export it under. */
declare module 'virtual:operations' {
  export const operations: Readonly<
    Record<string, Pick<import('@tessera/contracts').HttpBinding, 'group' | 'method' | 'path' | 'body' | 'headers'>>
  >;
}
