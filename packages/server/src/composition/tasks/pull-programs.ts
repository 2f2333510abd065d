import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchProgramBinary, PROTOCOL_PROGRAMS } from '@tidegate/localnet/programs';
import { createClusterSource } from '../../chain/cluster-source.ts';
import { createServerLog } from '../../cli/logging/server-log.ts';
import { parseUrls } from '../../cli/settings/setting-parsers.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { CodedError } from '../../errors.ts';

/** Writes the program binaries of a cluster to `<address>.so` files. Returns a list of the files. */
export async function pullPrograms(
  rpc: string,
  folder: string,
  logFormat: Config['logFormat'],
): Promise<string> {
  const rpcUrls = parseUrls(['http:', 'https:'])(rpc);
  if (rpcUrls === undefined || rpcUrls.length === 0) {
    const accepts = 'an http(s) URL of a cluster';
    throw new CodedError('INVALID_SETTING', { name: '--rpc', value: rpc, accepts });
  }
  const { log, close } = createServerLog({ logLevel: 'warn', logFormat });
  const source = createClusterSource({
    rpcUrls,
    wsUrls: [],
    commitment: 'confirmed',
    clock: Date.now,
    random: Math.random,
    log,
  });
  try {
    mkdirSync(folder, { recursive: true });
    const lines: string[] = [];
    for (const address of PROTOCOL_PROGRAMS) {
      const binary = await fetchProgramBinary(source, address);
      const path = join(folder, `${address}.so`);
      writeFileSync(path, binary);
      lines.push(`${path}  ${binary.length} bytes`);
    }
    return lines.join('\n');
  } finally {
    source.close();
    close();
  }
}
