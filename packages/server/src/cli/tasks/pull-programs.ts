import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@tidegate/core/base';
import { fetchProgramBinary, PROTOCOL_PROGRAMS } from '@tidegate/localnet/programs';
import { createClusterSource } from '../../chain/cluster-source.ts';
import { createServerLog } from '../logging/server-log.ts';
import { parseUrls } from '../settings/setting-parsers.ts';

/** Writes the programs of a cluster into a folder, one file each, named by the address; says what it wrote. */
export async function pullPrograms(rpc: string, folder: string): Promise<string> {
  const rpcUrls = parseUrls(['http:', 'https:'])(rpc);
  if (rpcUrls === undefined || rpcUrls.length === 0) {
    const accepts = 'an http(s) URL of a cluster';
    throw new CodedError('INVALID_SETTING', { name: '--rpc', value: rpc, accepts });
  }
  const { log, close } = createServerLog({ logLevel: 'warn' });
  const source = createClusterSource({
    ...{ rpcUrls, wsUrls: [], commitment: 'confirmed', clock: Date.now, random: Math.random, log },
  });
  try {
    mkdirSync(folder, { recursive: true });
    const lines: string[] = [];
    for (const address of PROTOCOL_PROGRAMS) {
      const code = await fetchProgramBinary(source, address);
      const path = join(folder, `${address}.so`);
      writeFileSync(path, code);
      lines.push(`${path}  ${code.length} bytes`);
    }
    return lines.join('\n');
  } finally {
    source.close();
    close();
  }
}
