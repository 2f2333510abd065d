import { type LoadResult, load } from '../http/load-client.ts';

/** Reads one URL over many connections, in a process of its own. */
export type GeneratedLoad = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
};

process.on('message', async (plan: GeneratedLoad) => {
  const result: LoadResult = await load(plan);
  process.send?.(result);
  process.disconnect();
});
