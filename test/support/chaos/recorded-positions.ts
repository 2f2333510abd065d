import { inflateRawSync } from 'node:zlib';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { Bank } from '#localnet/runtime/bank.ts';
import type { PostgresProcess } from './postgres-process.ts';

/** The cluster has the accounts of older slots no more. */
const READABLE_SLOTS = 300n;
const SCHEMA = 'tidegate_localnet';

/** A cluster, and the first slot that is compared. */
type Compared = { readonly bank: Bank; readonly after: Slot };

type BankAccount = ReturnType<Bank['account']>;

/** Recorded states of positions that differ from the accounts at the end of their slot, in words. */
export async function findWrongPositions(
  database: PostgresProcess,
  compared: Compared,
): Promise<readonly string[]> {
  return [
    ...(await findWrongLoans(database, compared)),
    ...(await findWrongStakes(database, compared)),
    ...(await findWrongHoldings(database, compared)),
  ];
}

async function findWrongLoans(database: PostgresProcess, compared: Compared) {
  type Loan = { bytes: Buffer; slot: string; deflated: Buffer | null };
  const rows = await readRows<Loan>(database, compared, {
    columns: 'bytes, slot::text, deflated',
    from: `obligation_state join ${SCHEMA}.address on id = obligation`,
  });
  return rows.flatMap(({ bytes, slot, deflated }) => {
    const address = addressFromBytes(bytes);
    const account = accountAt(compared, address, slot);
    const recorded = deflated === null ? undefined : inflateRawSync(deflated);
    const isRight =
      account === undefined || recorded === undefined
        ? account === recorded
        : recorded.equals(account.data);
    return isRight ? [] : [`loan ${address} in slot ${slot}`];
  });
}

async function findWrongStakes(database: PostgresProcess, compared: Compared) {
  type Stake = { bytes: Buffer; slot: string; stake: string };
  const rows = await readRows<Stake>(database, compared, {
    columns: 'bytes, slot::text, stake::text',
    from: `farm_stake join ${SCHEMA}.address on id = user_state`,
  });
  return rows.flatMap(({ bytes, slot, stake }) => {
    const address = addressFromBytes(bytes);
    const account = accountAt(compared, address, slot);
    const expected = account === undefined ? 0n : userState.decode(account).activeStakeScaled;
    return expected === BigInt(stake)
      ? []
      : [`stake ${address} in slot ${slot}: ${stake} instead of ${expected}`];
  });
}

/** Shares in the associated token account: the wallets of the simulation have no other. */
async function findWrongHoldings(database: PostgresProcess, compared: Compared) {
  type Holding = { wallet: Buffer; vault: Buffer; slot: string; held: string };
  const rows = await readRows<Holding>(database, compared, {
    columns: 'owner.bytes as wallet, of.bytes as vault, slot::text, held::text',
    from: `vault_holding join ${SCHEMA}.address owner on owner.id = wallet
      join ${SCHEMA}.address of on of.id = vault`,
  });
  return rows.flatMap(({ wallet, vault, slot, held }) => {
    const owner = addressFromBytes(wallet);
    const fields = accountAt(compared, addressFromBytes(vault), slot);
    if (fields === undefined) return [`a vault that does not exist in slot ${slot}`];
    const mint = vaultState.decode(fields).sharesMint;
    const shares = associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
    const account = accountAt(compared, shares, slot);
    const expected = account === undefined ? 0n : tokenAccount.decode(account).amount;
    return expected === BigInt(held)
      ? []
      : [`shares ${shares} in slot ${slot}: ${held} instead of ${expected}`];
  });
}

const accountAt = ({ bank }: Compared, address: Address, slot: string): BankAccount =>
  bank.view(toSlot(BigInt(slot))).account(address);

type RowsQuery = { readonly columns: string; readonly from: string };

async function readRows<Row>(
  database: PostgresProcess,
  { bank, after }: Compared,
  { columns, from }: RowsQuery,
): Promise<readonly Row[]> {
  const oldest = bank.slot - READABLE_SLOTS;
  const since = after > oldest ? after : oldest;
  const range = `slot > ${since} and slot <= ${bank.slot}`;
  const rows = await database.query(`select ${columns} from ${SCHEMA}.${from} where ${range}`);
  return rows as unknown as readonly Row[];
}
