import { type Address, bytesEqual, parseAddress, type Slot } from '@tidegate/core/base';
import type {
  AccountProof,
  ObservedSlot,
  ReplayedAccountKind,
  SlotProof,
} from '@tidegate/localnet/replay';
import type { ChainSource } from '../chain/source/chain-source.ts';
import { CodedError } from '../errors.ts';
import type { ProofExecutor, ReplayResult, ReplayTask } from './proof-messages.ts';

/** Kinds of accounts that state does not have: no figure depends on them. */
const UNFOLLOWED: ReadonlySet<ReplayedAccountKind> = new Set([
  'lendingConfig',
  'vaultConfig',
  'reserveWhitelistEntry',
  'userMetadata',
  'referrerState',
]);

/** One read has all such accounts of a slot. */
const MAX_READS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Per read. */
const MAX_ACCOUNTS = 100;

type UnfollowedAccountsOptions = Pick<ChainSource, 'getAccounts'> & {
  readonly clock: () => number;
};

/**
 * Reads accounts that nobody follows after the replay of a slot that read or wrote them. Only equality says something:
 * another transaction may have written them since.
 */
export class UnfollowedAccounts {
  readonly #options: UnfollowedAccountsOptions;
  #minute = 0;
  #reads = 0;

  constructor(options: UnfollowedAccountsOptions) {
    this.#options = options;
  }

  /** Replays a slot, again with the accounts that it lacks, and compares what it wrote of them. */
  async replay(task: ReplayTask, executor: Pick<ProofExecutor, 'replay'>): Promise<ReplayResult> {
    const first = await executor.replay(task);
    const completed = await this.#complete(task.slot, first.proof);
    const second = completed && (await executor.replay({ ...task, slot: completed }));
    const proof = second === undefined ? first.proof : preferProven(first.proof, second.proof);
    const ms = first.ms + (second?.ms ?? 0);
    return { proof: await this.confirm(proof, task.slot.time.slot), ms };
  }

  /** The slot with the accounts that its transactions read and nobody has seen, as they are now. */
  async #complete(slot: ObservedSlot, proof: SlotProof): Promise<ObservedSlot | undefined> {
    const missing = missingAccounts(proof).filter((address) => !slot.before.has(address));
    if (missing.length === 0 || missing.length > MAX_ACCOUNTS || !this.#mayRead()) return undefined;
    const accounts = await this.#read(missing, slot.time.slot);
    const found = missing.flatMap((address, index) => {
      const account = accounts[index];
      return account === undefined ? [] : [[address, account] as const];
    });
    if (found.length === 0) return undefined;
    const [before, after] = [slot.before, slot.after].map((seen) => new Map([...seen, ...found]));
    return { ...slot, before: before ?? slot.before, after: after ?? slot.after };
  }

  async confirm(proof: SlotProof, slot: Slot): Promise<SlotProof> {
    const open = proof.accounts.filter(
      ({ kind, ours }) => ours !== undefined && UNFOLLOWED.has(kind),
    );
    if (open.length === 0 || !this.#mayRead()) return proof;
    const confirmed = await this.#findEqual(open, slot);
    const accounts = proof.accounts.map((account) =>
      confirmed.has(account.address) ? proven(account) : account,
    );
    return { ...proof, accounts };
  }

  async #findEqual(open: readonly AccountProof[], slot: Slot): Promise<ReadonlySet<string>> {
    const addresses = open.map(({ address }) => address);
    const accounts = await this.#read(addresses, slot);
    const equal = open.filter(({ ours }, index) => {
      const read = accounts[index];
      return ours?.owner === read?.owner && isSameData(ours?.data, read?.data);
    });
    return new Set(equal.map(({ address }) => address));
  }

  /** Empty if the node does not answer. */
  async #read(addresses: readonly Address[], slot: Slot) {
    try {
      return (await this.#options.getAccounts(addresses, slot)).accounts;
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return [];
    }
  }

  #mayRead(): boolean {
    const minute = Math.floor(this.#options.clock() / MINUTE_MS);
    if (minute !== this.#minute) this.#reads = 0;
    this.#minute = minute;
    this.#reads += 1;
    return this.#reads <= MAX_READS_PER_MINUTE;
  }
}

const isSameData = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && bytesEqual(a, b);

const proven = ({ reason: _, detail: __, ours: ___, ...account }: AccountProof): AccountProof => ({
  ...account,
  verdict: 'proven',
});

/** What replays name that they had to assume. */
const missingAccounts = ({ accounts, transactions }: SlotProof): readonly Address[] => [
  ...new Set(
    [...accounts, ...transactions]
      .filter(({ reason }) => reason === 'accountUnknown')
      .flatMap(({ detail = '' }) => detail.split(', '))
      .flatMap((name) => parseAddress(name) ?? []),
  ),
];

/** The second replay used accounts of a later time, so only what it proves counts. */
function preferProven(first: SlotProof, second: SlotProof): SlotProof {
  const accounts = new Map(second.accounts.map((each) => [each.address, each]));
  const transactions = new Map(second.transactions.map((each) => [each.signature, each]));
  return {
    accounts: first.accounts.map((each) => provenOr(each, accounts.get(each.address))),
    transactions: first.transactions.map((each) =>
      provenOr(each, transactions.get(each.signature)),
    ),
  };
}

const provenOr = <Proof extends { readonly verdict: string }>(
  first: Proof,
  second: Proof | undefined,
): Proof => (second?.verdict === 'proven' ? second : first);
