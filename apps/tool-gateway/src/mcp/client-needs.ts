/**
 * What a client has to be able to do before a tool may run, for the tools that need something of it.
 * Refuses: tools that need nothing; they are not in here.
 */
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { Tool } from '../tools/tool.js';

const needs = new WeakMap<Tool, ClientCapabilities>();

export const needing = (tool: Tool, capabilities: ClientCapabilities): Tool => {
  needs.set(tool, capabilities);
  return tool;
};

export const needsOfClient = (tool: Tool): ClientCapabilities | undefined => needs.get(tool);
