/** The endpoints of MCP servers by their path, for requests that no route takes. Refuses: to know whether there is an asset. */
import { fillPath } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';

const endpoint = new RegExp(`^${fillPath(exchangeMcp.http, () => '[^/]+')}$`);

export const isMcpPath = (path: string): boolean => endpoint.test(path);
