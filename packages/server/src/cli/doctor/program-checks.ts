import { formatError, type Logger } from '@tidegate/core/base';
import {
  type DeployedProgram,
  firstSlotAfter,
  programTables,
  type RulesAt,
} from '@tidegate/core/protocol/releases';
import { createRpcSource } from '../../chain/rpc/rpc-source.ts';
import { rulesOfCluster } from '../../clusters/cluster-rules.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { rulesVersion } from '../../programs/cluster-programs.ts';
import {
  parseProgram,
  programsOfCluster,
  readDeploySlots,
  readProgramData,
  type WatchedProgram,
} from '../../programs/read-programs.ts';
import type { Config } from '../settings/settings.ts';
import type { EndpointGroup } from './endpoint-checks.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type Limits = Pick<Config, 'commitment' | 'maxLagSlots' | 'programReleases'> & {
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
};

/** Which releases of the programs run on a cluster, by the first of its endpoints that tells. */
export async function checkPrograms(
  { env, urls, setting }: EndpointGroup,
  limits: Limits,
): Promise<readonly Finding[]> {
  const rules = rulesOfCluster(env, setting === 'RPC_URL' ? limits.programReleases : '');
  let failure: unknown;
  for (const url of urls) {
    const maxLagSlots = BigInt(limits.maxLagSlots);
    const source = createRpcSource({ ...limits, url, maxLagSlots });
    try {
      const watched = programsOfCluster(env);
      const deploySlots = await readDeploySlots(source, watched);
      const findings: Finding[] = [];
      for (const program of watched) {
        const account = deploySlots.has(program) && (await readProgramData(source, program));
        const deployed =
          account && parseProgram(program, account, { cluster: env, log: limits.log });
        findings.push(deployed ? describe(deployed, { env, rules }) : missing(program, env));
      }
      return findings;
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      failure = error;
    } finally {
      source.close();
    }
  }
  const message = `Which releases run on ${env} is not known (${formatError(failure)})`;
  return [warning('programs', message, 'Check the endpoints of the cluster.')];
}

type Described = { readonly env: ClusterName; readonly rules: RulesAt };

function describe(
  { program, deploySlot, release, hash }: DeployedProgram,
  { env, rules }: Described,
): Finding {
  const name = `program ${program}`;
  if (release !== undefined) {
    return ok(name, `${env} runs release ${release.version}, deployed in slot ${deploySlot}.`);
  }
  if (programTables[program].part === undefined) {
    return ok(name, `${env} runs a build since slot ${deploySlot}; its rules have no releases.`);
  }
  const version = rulesVersion(program, rules(firstSlotAfter(deploySlot)));
  const digits = hash.slice(0, 16);
  const message = `${env} runs an unknown release since slot ${deploySlot} (sha256 ${digits}…), figures follow the rules of ${version}`;
  const change =
    'Look for a release of Tidegate that knows it, or name the release that it is in PROGRAM_RELEASES.';
  return warning(name, message, change);
}

const missing = ({ program, address }: WatchedProgram, env: string): Finding =>
  env === 'mainnet-beta'
    ? problem(`program ${program}`, `${env} has no program ${address}`, 'Check the endpoints.')
    : ok(`program ${program}`, `${env} has no program data of ${address}.`);
