import type { ChainSource, ProgramScan } from '../../chain/source/chain-source.ts';

/** Throws SOURCE_REFUSES if no endpoint serves the scan. Reads addresses only. */
export async function requireScan(source: ChainSource, scan: ProgramScan): Promise<void> {
  const ignored = { onStart: () => undefined, onAccount: () => undefined };
  await source.streamProgram({ scan, content: 'addresses' }, ignored);
}
