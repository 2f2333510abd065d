import type { Address, Slot } from '@tidegate/core/base';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import { BATCH, type DriftContext, isPolling, SLOT_WAIT_MS } from '../drift/drift-context.ts';
import { differing, type StateSums, type SumDifference } from './state-sums.ts';

type DepositCheckContext = Pick<DriftContext, 'source' | 'state' | 'followed' | 'step'>;

/** A node that is ahead of state names a slot that state has not reached; state can also pass over one. */
const ATTEMPTS = 6;

/**
 * Compares the cTokens that loans have deposited with the collateral vaults of their reserves. A vault is not part of state, so it
 * is read, and compared with the deposits of exactly the slot of that read. While the server polls, state passes over most slots, and
 * what differs need not be wrong.
 */
export class DepositCheck {
  readonly #context: DepositCheckContext;
  constructor(context: DepositCheckContext) {
    this.#context = context;
  }

  /** Undefined if it could not be decided. The sums must be through. */
  async run(sums: StateSums): Promise<SumDifference[] | undefined> {
    const { state } = this.#context;
    const vaults = state.reserves().map(({ address, fields }) => ({
      reserve: address,
      vault: fields.collateral.supplyVault,
    }));
    const found: SumDifference[] = [];
    for (let start = 0; start < vaults.length; start += BATCH) {
      const differences = await this.#compare(vaults.slice(start, start + BATCH), sums);
      if (differences === undefined) return undefined;
      found.push(...differences);
    }
    return found;
  }

  async #compare(
    vaults: Parameters<typeof readVaultBalances>[1],
    sums: StateSums,
  ): Promise<SumDifference[] | undefined> {
    const { source, followed, step } = this.#context;
    const { queue } = followed;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // state may be beyond the slot of the read when that arrives
      const atSlots = new Map<Slot, ReadonlyMap<Address, bigint>>();
      const record = () => atSlots.set(queue.completeSlot, sums.deposits());
      record();
      const stop = queue.observe(record);
      try {
        const { slot, byReserve } = await readVaultBalances(source, vaults, queue.completeSlot);
        await queue.waitForSlot(slot, SLOT_WAIT_MS);
        const deposits = atSlots.get(slot) ?? (isPolling(step()) ? sums.deposits() : undefined);
        if (deposits === undefined) continue;
        return [...byReserve].flatMap(([reserve, balance]) =>
          differing('deposits', reserve, balance - (deposits.get(reserve) ?? 0n)),
        );
      } finally {
        stop();
      }
    }
    return undefined;
  }
}

type VaultOfReserve = { readonly reserve: Address; readonly vault: Address };

/** Balances of some vaults at a slot, by reserve. */
type VaultBalances = {
  readonly slot: Slot;
  readonly byReserve: ReadonlyMap<Address, bigint>;
};

/** Bytes of a token account up to the end of its amount. */
const BALANCE_END = tokenAccount.offsets.amount + 8;

/** A vault that does not exist, as before the first deposit of some reserves, has nothing. */
async function readVaultBalances(
  source: Pick<ChainSource, 'getAccounts'>,
  vaults: readonly VaultOfReserve[],
  minSlot: Slot,
): Promise<VaultBalances> {
  const addresses = vaults.map(({ vault }) => vault);
  const { slot, accounts } = await source.getAccounts(addresses, minSlot, BALANCE_END);
  const byReserve = new Map(vaults.map(({ reserve }, i) => [reserve, amountIn(accounts[i]?.data)]));
  return { slot, byReserve };
}

function amountIn(data: Uint8Array | undefined): bigint {
  if (data === undefined || data.length < BALANCE_END) return 0n;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return view.getBigUint64(tokenAccount.offsets.amount, true);
}
