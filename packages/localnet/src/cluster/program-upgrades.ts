import { type Address, type Slot, toSlot } from '@tidegate/core/base';
import {
  modelExecutable,
  PROGRAM_NAMES,
  type ProgramName,
  programTables,
  tableVersion,
} from '@tidegate/core/protocol/releases';
import { CodedError } from '../errors/index.ts';
import { executedVersion, versionMark, versionMarkAddress } from '../programs/executed-version.ts';
import { programAccounts } from '../programs/program-accounts.ts';
import type { LocalCluster } from './cluster.ts';
import { deployedAccounts, deployScheduled } from './program-deployments.ts';

/** A release of the built-in model, such as `1.24`, or the bytes of an executable. */
export type UpgradeContent = string | Uint8Array;

type Upgrade = { readonly program: ProgramName; readonly executable: Uint8Array };

type UpgradedCluster = Pick<LocalCluster, 'bank' | 'seed' | 'deploymentsAt'> & {
  readonly isForked: boolean;
};

/** Upgrades programs: on request, and when a release begins that the settings of the cluster schedule. */
export class ProgramUpgrades {
  readonly #cluster: UpgradedCluster;
  #requested: readonly Upgrade[] = [];

  constructor(cluster: UpgradedCluster) {
    this.#cluster = cluster;
  }

  /** The upgrade lands in the open slot. Throws for a release that this cluster cannot execute. */
  request(program: ProgramName, content: UpgradeContent): void {
    const executable =
      typeof content === 'string' ? this.#executableOf(program, content) : content.slice();
    this.#requested = [...this.#requested, { program, executable }];
  }

  /** Drops requests that have not landed. */
  clear(): void {
    this.#requested = [];
  }

  /** Call it when the transactions of the open slot are executed. Returns the written addresses. */
  run(slot: Slot): readonly Address[] {
    const { bank, seed, deploymentsAt } = this.#cluster;
    const requested = this.#requested;
    this.#requested = [];
    const written = deployScheduled(deploymentsAt?.(slot) ?? [], bank, seed);
    for (const [address, account] of written) bank.setAccount(address, account);
    const upgraded = requested.flatMap((upgrade) => this.#deploy(upgrade, slot));
    return [...written.map(([address]) => address), ...upgraded];
  }

  #executableOf(program: ProgramName, text: string): Uint8Array {
    const version = tableVersion(program, text);
    if (version === undefined) {
      const known = PROGRAM_NAMES.flatMap((name) =>
        programTables[name].releases.map((release) => `${name}@${release.version}`),
      ).join(', ');
      throw new CodedError('UNKNOWN_RELEASE', { release: `${program}@${text}`, known });
    }
    const executesModels = this.#deploymentOf(program, this.#cluster.bank.slot) !== undefined;
    if (executesModels || this.#cluster.isForked) return modelExecutable(program, version);
    const reason = 'this cluster does not run the built-in model; give the bytes of a program';
    throw new CodedError('INVALID_USAGE', { reason });
  }

  #deploy({ program, executable }: Upgrade, slot: Slot): readonly Address[] {
    const { bank, seed } = this.#cluster;
    const mark = versionMarkAddress(program);
    const before = this.#executedVersion(program, slot);
    if (before !== undefined) bank.setAccount(mark, versionMark(before));
    const accounts = deployedAccounts({ program, deploySlot: slot, executable }, seed);
    for (const [address, account] of accounts) bank.setAccount(address, account);
    return [mark, ...accounts.map(([address]) => address)];
  }

  /** What the model executes and goes on to execute if the new bytes name no release. */
  #executedVersion(program: ProgramName, slot: Slot): string | undefined {
    const { bank } = this.#cluster;
    const scheduled = this.#deploymentOf(program, slot);
    const account = bank.account(programAccounts[program].programData);
    const executed = account && executedVersion(program, account, bank);
    const isUpgraded = executed !== undefined && executed.from > (scheduled?.from ?? toSlot(0n));
    return isUpgraded ? executed.version : scheduled?.version;
  }

  #deploymentOf(program: ProgramName, slot: Slot) {
    return this.#cluster
      .deploymentsAt?.(slot)
      .find((each) => each.program === program && each.version !== undefined);
  }
}
