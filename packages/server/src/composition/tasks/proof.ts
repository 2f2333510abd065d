import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { rulesOfReleases } from '@tidegate/core/protocol/releases';
import {
  type Counterexample,
  parseCounterexample,
  replayCounterexample,
  type SlotProof,
} from '@tidegate/localnet/replay';
import type { CommandOutput } from '../../cli/command.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { formatTable } from '../../cli/terminal/text-table.ts';
import type { CounterexampleEntry } from '../../clusters/proof-report.ts';
import { CLUSTER_NAMES, type ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { CounterexampleStore } from '../../proof/counterexample-store.ts';
import { counterexampleFolder } from '../clusters/open-proof.ts';

type Input = {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  readonly config: Config;
};

const ignore = (): void => undefined;
const SILENT_LOG = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export async function showProof(input: Input): Promise<string> {
  const { args } = input;
  if (args.length > 0) {
    const examples = await Promise.all(args.map((id) => readExample(input, id)));
    return examples.map(differencesOf).join('\n\n');
  }
  const store = await openStore(input);
  const entries = store.entries();
  if (entries.length === 0) return 'No counterexamples.';
  return formatTable(['ID', 'FOUND', 'DIFFERS', 'RELEASES', 'EXPLANATION'], entries.map(rowOf));
}

const rowOf = ({ id, foundAt, subjects, releases, explanation }: CounterexampleEntry) => [
  id,
  new Date(foundAt).toISOString(),
  subjects.map(({ program, instruction, kind }) => `${program} ${instruction} ${kind}`).join(', '),
  Object.entries(releases)
    .map(([program, release]) => `${program}@${release}`)
    .join(','),
  explanation ?? '',
];

export async function exportProof(input: Input): Promise<string> {
  return await readText(input, input.args[0] ?? '');
}

export async function replayProof(input: Input): Promise<CommandOutput> {
  const example = await readExample(input, input.args[0] ?? '');
  const { releases } = input.flags;
  const rules = releases === undefined ? undefined : rulesOfReleases(releases);
  const proof = replayCounterexample(example, rules?.(example.slot.time.slot));
  const lines = linesOf(proof);
  const differs = [...proof.accounts, ...proof.transactions].some(
    ({ verdict }) => verdict === 'differing',
  );
  const outcome = differs ? 'It differs.' : 'Nothing differs.';
  return { output: [...lines, outcome].join('\n'), exitCode: differs ? 1 : 0 };
}

export async function explainProof(input: Input): Promise<string> {
  const [id = '', reason = ''] = input.args;
  const store = await openStore(input);
  await store.explain(id, reason);
  return `${id} does not count any more.`;
}

function differencesOf({ differences }: Counterexample): string {
  const rows = differences.map(({ subject, kind, field, expected, actual }) => [
    subject,
    kind,
    field,
    expected,
    actual,
  ]);
  return formatTable(['SUBJECT', 'KIND', 'FIELD', 'OURS', 'CLUSTER'], rows);
}

function linesOf({ accounts, transactions }: SlotProof): string[] {
  const outcomes = transactions.map(({ signature, calls, ...verdict }) => ({
    name: `transaction ${signature}: ${calls.map(({ instruction }) => instruction).join(', ')}`,
    ...verdict,
  }));
  const written = accounts.map(({ address, kind, program, instructions, ...verdict }) => ({
    name: `${program} ${kind} ${address}: ${instructions.join(', ')}`,
    ...verdict,
  }));
  return [...outcomes, ...written].flatMap(({ name, verdict, reason, differences = [] }) => [
    `${verdict}${reason === undefined ? '' : ` (${reason})`}  ${name}`,
    ...differences.map(
      ({ field, expected, actual }) => `    ${field}: ours ${expected}, cluster ${actual}`,
    ),
  ]);
}

const readExample = async (input: Input, id: string): Promise<Counterexample> =>
  parseCounterexample(await readText(input, id));

async function readText(input: Input, id: string): Promise<string> {
  if (existsSync(id)) return await readFile(id, 'utf8');
  return await (await openStore(input)).read(id);
}

async function openStore({ flags, config }: Input): Promise<CounterexampleStore> {
  const folder = counterexampleFolder(config.dataDir, clusterOf(flags['env'], config));
  const store = new CounterexampleStore({ folder, clock: Date.now, log: SILENT_LOG });
  await store.refresh();
  return store;
}

/** Without endpoints, the primary cluster is the embedded one. */
function clusterOf(env: string | undefined, { rpcUrl, cluster }: Config): ClusterName {
  if (env === undefined) return rpcUrl.length === 0 ? 'localnet' : cluster;
  const named = CLUSTER_NAMES.find((name) => name === env);
  if (named === undefined) throw new CodedError('UNKNOWN_CLUSTER', { env, served: CLUSTER_NAMES });
  return named;
}
