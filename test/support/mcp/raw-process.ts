import { spawn } from 'node:child_process';
import { FAST_START, programPath } from '../processes/program-path.ts';

export const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
};

/** A message as a line of the protocol. */
export const toLine = (message: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** `tidegate mcp` for the server at the URL, without a client. */
export const startRaw = (url: string) =>
  spawn(process.execPath, [FAST_START, programPath, 'mcp', '--url', url], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
