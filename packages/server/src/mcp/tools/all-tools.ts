import type { Tool } from '../tool.ts';
import { verifyTool } from '../verify-tool.ts';
import { prepareTool } from './actions/prepare.ts';
import { previewTool } from './actions/preview.ts';
import { discoverTool } from './discover.ts';
import { explainTool } from './explain/explain.ts';
import { inspectTool } from './inspect/inspect.ts';

/** All tools, in the order in which they are usually called. */
export const tools: readonly Tool[] = [
  discoverTool,
  inspectTool,
  explainTool,
  previewTool,
  prepareTool,
  verifyTool,
];
