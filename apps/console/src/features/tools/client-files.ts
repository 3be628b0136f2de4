/** What a client of the Model Context Protocol has to be told, as the file that clients of its kind read. Never a secret. */

/** By what they are. */
export const clientKinds = ['editor', 'terminal', 'desktop', 'inspector'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** By signing in as oneself, or with a key that an administrator gives. */
export const clientWays = ['signIn', 'key'] as const;
export type ClientWay = (typeof clientWays)[number];

export type ClientFile = { readonly fileName: string; readonly text: string };

/** The variable that the key is in, where a client reads variables. */
export const keyVariable = 'TESSERA_KEY';

type Server = { readonly name: string; readonly address: string };

export const clientFile = (kind: ClientKind, way: ClientWay, { name, address }: Server): ClientFile => {
  const server = { url: address, ...(way === 'key' && { headers: { AppKey: keyPlaceholders[kind] } }) };
  switch (kind) {
    case 'editor':
      return {
        fileName: 'mcp.json',
        text: print({
          ...(way === 'key' && { inputs: [keyInput] }),
          servers: { [name]: { type: 'http', ...server } },
        }),
      };
    case 'terminal':
      return { fileName: '.mcp.json', text: print({ mcpServers: { [name]: { type: 'http', ...server } } }) };
    case 'desktop':
      return { fileName: 'mcp-servers.json', text: print({ mcpServers: { [name]: { type: 'http', ...server } } }) };
    case 'inspector':
      return { fileName: 'mcp.json', text: print({ mcpServers: { [name]: { type: 'streamable-http', ...server } } }) };
  }
};

const inputId = 'tessera-key';

/** Editors ask for it once and keep it where they keep secrets. */
const keyInput = { type: 'promptString', id: inputId, description: 'API key', password: true };

const keyPlaceholders: Readonly<Record<ClientKind, string>> = {
  editor: `\${input:${inputId}}`,
  terminal: `\${${keyVariable}}`,
  desktop: '<API key>',
  inspector: '<API key>',
};

const print = (content: object): string => `${JSON.stringify(content, undefined, 2)}\n`;
